-- undo: what a job changed is being put back, or has been; its state is then that of the undo. undone: what came of that for one
-- user, null = not yet, or not changed by the job. A process of the previous release leaves a job that is undoing alone.
alter table jobs add column undo boolean not null default false,
  drop constraint jobs_state,
  add constraint jobs_state check (state in ('waiting', 'running', 'undoing', 'stopped', 'finished', 'undone', 'failed'));
alter table job_users add column undone text collate "C";
