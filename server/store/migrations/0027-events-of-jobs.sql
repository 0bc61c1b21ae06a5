-- Events by the job that made the change. Those of nobody's job are not in it.
drop index concurrently if exists events_job_index;
create index concurrently events_job_index on events (((properties ->> 'job') collate "C"), (-seq))
  where properties ->> 'job' is not null;
-- Events among which each job is one row, its end, for the log without the changes of jobs, which have a changeset: 100,000
-- in a row are passed at once. They are those of events_pkey, events_state_index and events_actor_index, but for the changes of jobs. The position is
-- counted down from -1, so that each order is given by one of these alone: an engine that does not know how many
-- changes jobs have made yet might take the others.
drop index concurrently if exists events_act_index;
create index concurrently events_act_index on events ((-1 - seq))
  where properties ->> 'job' is null or properties ->> 'changeset' is null;
drop index concurrently if exists events_act_state_index;
create index concurrently events_act_state_index on events (
  type collate "C", (case when delivered then 'delivered' else undelivered end), (-1 - seq)
) where properties ->> 'job' is null or properties ->> 'changeset' is null;
drop index concurrently if exists events_act_actor_index;
create index concurrently events_act_actor_index on events (
  (left(properties ->> 'actor', 200)) collate "C", type collate "C",
  (case when delivered then 'delivered' else undelivered end), (-1 - seq)
) where properties ->> 'actor' is not null and (properties ->> 'job' is null or properties ->> 'changeset' is null);
-- Changes of jobs by their time: how many there were is taken off the counts of events.
drop index concurrently if exists events_job_time_index;
create index concurrently events_job_time_index on events (eventtime, type, delivered, undelivered)
  where properties ->> 'job' is not null and properties ->> 'changeset' is not null;
