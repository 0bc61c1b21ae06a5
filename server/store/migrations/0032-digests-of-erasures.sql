-- Keyed digests of the e-mail and ref that a deleted user had, by which it can be told whether somebody was deleted. Null if none were
-- kept: for the deletions from before, those by a process of the release before, and where the setting says so.
do $$ begin perform set_config('lock_timeout', '1000ms', true); alter table erasures
    add column if not exists digests text[]; end $$;

drop index concurrently if exists erasures_digests_index;
create index concurrently erasures_digests_index on erasures using gin (digests) where digests is not null;
-- Finds the newest deletion without digests.
drop index concurrently if exists erasures_without_digests_index;
create index concurrently erasures_without_digests_index on erasures (deleted) where digests is null;
