-- changesets: of a row of an import, in their order: of the user's own fields, then one for each entity.
alter table job_users add column changesets uuid[];
-- Identifiers that a check has met in a file, as keyed digests, with the row that had each first. content: keyed digest of all that
-- the row gives, by which a repeated row is known.
create table import_identifiers (
  job_id uuid not null constraint import_identifiers_job_fk references jobs (id) on delete cascade,
  digest text collate "C" not null,
  "row" integer not null,
  content text collate "C" not null,
  constraint import_identifiers_pkey primary key (job_id, digest)
);
