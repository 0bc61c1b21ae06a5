-- Changeset that a changeset reverts as a whole, so that lists tell what was undone. Null for all others, those by a process of the
-- release before too.
do $$ begin perform set_config('lock_timeout', '1000ms', true); alter table changesets
    add column if not exists reverts uuid; end $$;

drop index concurrently if exists changesets_reverts_index;
create index concurrently changesets_reverts_index on changesets (user_id, reverts) where reverts is not null;
