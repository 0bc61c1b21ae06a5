-- done: when a delivery arrived or was given up; without meaning while it waits. That of before counts as done now: the
-- default is of this moment, and is written into no row.
alter table deliveries add column done timestamp(3) default (now() at time zone 'UTC');
alter table deliveries alter column done drop default;
create index deliveries_done_index on deliveries (done, subscription_id, seq) where state <> 'waiting';
-- pruned: of events that were delivered before, it is not known any more to whom. null: of all of them it is.
alter table subscriptions add column pruned timestamp(3);
