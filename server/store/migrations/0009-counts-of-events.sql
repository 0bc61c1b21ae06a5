-- How many events of a type happened in an hour, in UTC, by how they stand: kept where they are numbered and where that
-- changes, so that nobody has to count the log. Room in each page keeps updates in it, and out of the index.
create table event_counts (
  hour timestamp(0) not null,
  type text collate "C" not null,
  delivered integer not null default 0,
  waiting integer not null default 0,
  failed integer not null default 0,
  none integer not null default 0,
  constraint event_counts_pkey primary key (hour, type)
) with (fillfactor = 50);
insert into event_counts (hour, type, delivered, waiting, failed, none)
select date_trunc('hour', eventtime), type, count(*) filter (where delivered),
  count(*) filter (where not delivered and undelivered = 'waiting'),
  count(*) filter (where not delivered and undelivered = 'failed'),
  count(*) filter (where not delivered and undelivered = 'none')
from events group by 1, 2;
