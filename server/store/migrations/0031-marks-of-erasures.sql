-- Keyed digests of the e-mail, name and ref of a deleted user, by which segments and jobs that hold one are found. Without the key of
-- the blind index they tell nothing. They are removed once those are emptied.
create table if not exists erasure_marks (
  user_id uuid not null constraint erasure_marks_erasure_fk references erasures (user_id) on delete cascade,
  kind text collate "C" not null,
  digest text collate "C" not null,
  constraint erasure_marks_pkey primary key (user_id, kind)
);
create index if not exists erasure_marks_digest_index on erasure_marks (digest);

-- Whether the segments, and the jobs, have been emptied of the user. False also for the deletions of the release before, of which
-- the id alone is known. The constant costs no rewriting of the table.
do $$ begin perform set_config('lock_timeout', '1000ms', true); alter table erasures
    add column if not exists segments_emptied boolean not null default false,
    add column if not exists jobs_emptied boolean not null default false; end $$;

drop index concurrently if exists erasures_segments_index;
create index concurrently erasures_segments_index on erasures (user_id) where not segments_emptied;
drop index concurrently if exists erasures_jobs_index;
create index concurrently erasures_jobs_index on erasures (user_id) where not jobs_emptied;
