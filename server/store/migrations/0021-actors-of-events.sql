-- Events by who caused them, like events_state_index: a page of each type and state is found however many others there
-- are, also of a program that caused most of the log. An entry of an index has at most 2,704 bytes, and a name has no
-- limit, so only its beginning is in it. Events that nobody caused are not.
drop index concurrently if exists events_actor_index;
create index concurrently events_actor_index on events (
  (left(properties ->> 'actor', 200)) collate "C", type collate "C",
  (case when delivered then 'delivered' else undelivered end), (-seq)
) where properties ->> 'actor' is not null;
