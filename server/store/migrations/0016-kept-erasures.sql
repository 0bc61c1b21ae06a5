-- A deletion stays listed once it is final: who deleted, under which reference, since when it is final, and the id of the changeset
-- that its event names; null = not recorded. masters: null = nothing is waited for any more, which the release before takes for
-- nothing to list and nothing to remove. In one statement, so that the lock is waited for no longer than in any migration.
do $$ begin perform set_config('lock_timeout', '1000ms', true); alter table erasures
    alter column masters drop not null,
    add column if not exists actor text collate "C",
    add column if not exists reference text
      constraint erasures_reference check (char_length(reference) between 1 and 100),
    add column if not exists changeset uuid,
    add column if not exists final timestamp(3); end $$;

-- Most are final, and what is asked all the time is which wait.
drop index concurrently if exists erasures_waiting_index;
create index concurrently erasures_waiting_index on erasures (deleted, user_id) where masters is not null;
drop index concurrently if exists erasures_changeset_index;
create index concurrently erasures_changeset_index on erasures (changeset) where changeset is not null;

-- Those from before stand in the log. When one of them became final nobody noted.
insert into erasures (user_id, deleted, actor, changeset)
select distinct on (user_id) user_id, eventtime, actor, changeset
from (
  select type, eventtime, (properties ->> 'user')::uuid as user_id, properties ->> 'actor' as actor,
    (properties ->> 'changeset')::uuid as changeset
  from (
    select type, eventtime, properties from events where type collate "C" = 'USER_DELETED'
    union all select type, eventtime, properties from event_inbox where type = 'USER_DELETED'
  ) as told
) as deletions
where user_id is not null
order by user_id, eventtime
on conflict (user_id) do update set actor = excluded.actor, changeset = excluded.changeset
  where erasures.actor is null and erasures.reference is null;
