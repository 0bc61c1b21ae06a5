-- Files that are imported. id: that of the job to be; job_id: null while the file is still being received. summary: sealed; what
-- the check found in all rows. chunks: at: which 500 rows, from 0; sealed: their cells, under a key of the service, since the rows
-- belong to no user yet. The chunks go when their time is over, and with the job.
create table imports (
  id uuid constraint imports_pkey primary key,
  job_id uuid constraint imports_job_fk references jobs (id) on delete cascade,
  begun timestamp(3) not null,
  summary text
);
create unique index imports_job_index on imports (job_id);
create table import_chunks (
  job_id uuid not null constraint import_chunks_import_fk references imports (id) on delete cascade,
  at integer not null,
  sealed bytea not null,
  constraint import_chunks_pkey primary key (job_id, at)
);
-- Sealed bytes do not get smaller.
alter table import_chunks alter column sealed set storage external;

-- ready: the file of an import is there, and nobody has asked for its check yet.
alter table jobs drop constraint jobs_state,
  add constraint jobs_state check
    (state in ('ready', 'waiting', 'running', 'undoing', 'stopped', 'finished', 'undone', 'failed'));
-- user_id: null for a row of an import that belongs to no user yet.
alter table job_users alter column user_id drop not null;
