-- What somebody has said of the properties with one key, on entities of one type. The key is empty where it is said of
-- the entity type itself. JSON as it was written: its first language is the one that stands in for others.
create table definitions (
  entity_type text collate "C" not null,
  key text collate "C" not null,
  definition json not null,
  updated timestamp(3) not null,
  constraint definitions_pkey primary key (entity_type, key)
);
-- One row: a number that grows with each change of definitions, in its transaction.
create table definitions_version (version bigint not null);
insert into definitions_version (version) values (0);
