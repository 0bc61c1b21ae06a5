-- Which events name an entity among several: an act that read or checked sensitive values of more than one is one event, whose
-- `entities` has the keys by entity. There are few of them, and what else is in the log is not in the index.
drop index concurrently if exists events_entities_index;
create index concurrently events_entities_index on events using gin (((properties ->> 'entities')::jsonb))
  where properties ->> 'entities' is not null;
