-- What the service does by itself for somebody who asked: one property, set on many users. scopes: what the caller might
-- do when asking. asked: which property and which entity, no values; sealed: the value and the reason, which are nobody's
-- in particular, under a key of the service. total: users that are to be looked at. turn: when the job was last worked
-- at, so that several share the time. leased: until then a process is at it.
create table jobs (
  id uuid constraint jobs_pkey primary key,
  actor text collate "C" not null,
  scopes text[] not null,
  dry_run boolean not null,
  asked jsonb not null,
  sealed text not null,
  state text collate "C" not null
    constraint jobs_state check (state in ('waiting', 'running', 'stopped', 'finished', 'failed')),
  total integer not null,
  created timestamp(3) not null,
  ended timestamp(3),
  turn timestamp(3) not null,
  leased timestamp(3)
);
create index jobs_due_index on jobs (turn) where state in ('waiting', 'running');

-- What came of a job for one user. No value of a person stands here, only ids: what was before is read where it lives
-- and goes with the user. outcome: null = not looked at yet. seen: a keyed digest of what a dry run saw of the property.
-- No foreign key to the user: that somebody was deleted meanwhile is an outcome too.
create table job_users (
  job_id uuid not null constraint job_users_job_fk references jobs (id) on delete cascade,
  at integer not null,
  user_id uuid not null,
  outcome text collate "C",
  code text,
  detail text,
  entity_id uuid,
  changeset_id uuid,
  seen text,
  constraint job_users_pkey primary key (job_id, at)
) with (fillfactor = 80);
create index job_users_waiting_index on job_users (job_id, at) where outcome is null;
create index job_users_outcome_index on job_users (job_id, outcome, at);
