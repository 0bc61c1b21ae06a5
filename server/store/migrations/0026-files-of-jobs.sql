-- The file that a job of the kind export writes. ids: users named by id; null = those whom the sealed filter finds. after_user: the
-- last user written, null = none yet. gone: why the file cannot be fetched any more, null = it can, once it is done.
create table job_files (
  job_id uuid constraint job_files_pkey primary key constraint job_files_job_fk references jobs (id) on delete cascade,
  ids uuid[],
  after_user uuid,
  chunks integer not null default 0,
  users integer not null default 0,
  rows bigint not null default 0,
  withheld bigint not null default 0,
  bytes bigint not null default 0,
  done timestamp,
  gone text collate "C"
);
-- Parts of such files, with the users in each. sealed is null once the file is gone: who was in it stays known as long as the job.
create table file_chunks (
  job_id uuid not null constraint file_chunks_job_fk references jobs (id) on delete cascade,
  at integer not null,
  users uuid[] not null,
  sealed bytea,
  constraint file_chunks_pkey primary key (job_id, at)
);
alter table file_chunks alter column sealed set storage external;
create index file_chunks_users_index on file_chunks using gin (users);
