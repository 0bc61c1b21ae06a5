-- users: those of whom the job keeps what came of it. waiting: those of them that it has not looked at yet. Kept, so that a list
-- of jobs, and how much somebody has, is read without their users.
alter table jobs add column users integer, add column waiting integer;
update jobs set
  users = (select count(*) from job_users where job_id = jobs.id),
  waiting = (select count(*) from job_users where job_id = jobs.id and outcome is null);
alter table jobs alter column users set not null, alter column waiting set not null;
