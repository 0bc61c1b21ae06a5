-- How far the service has given sealed e-mails the terms of their mailboxes, which takes their keys: the last entity
-- that it looked at. No row: all have them, as in a store without sealed values.
create table if not exists sealed_emails (
  user_id uuid not null,
  entity_id uuid not null
);
insert into sealed_emails (user_id, entity_id)
  select '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'
  where exists (select 1 from entities where sealed <> '{}') and not exists (select 1 from sealed_emails);
