-- How many entities of its type its user had, with it, when it came to be of that type: who has two now has one that came second or
-- later. 32767: nobody has counted. So it stands where a process of the release before makes an entity, or gives it another type.
create function entities_not_counted() returns trigger language plpgsql as $$
begin
  new.nth_of_type := 32767;
  return new;
end $$;

do $$
begin
  -- Spread over several machines, which take no triggers: there nobody has counted any of those that are there.
  if to_regclass('user_identifiers') is not null then
    alter table entities add column nth_of_type smallint not null default 32767;
    return;
  end if;
  -- The default that a column is made with is written into no row that is there. So all stand as the first of their type, until the
  -- next migration counts those that came later.
  alter table entities add column nth_of_type smallint not null default 1;
  alter table entities alter column nth_of_type set default 32767;
  create trigger entities_retyped before update of type on entities
    for each row when (old.type <> new.type) execute function entities_not_counted();
end $$;
