-- undelivered: why an event is not delivered, as its deliveries stand: no webhook asked for it, one of them is still tried, or
-- one has used up its tries. Without meaning once it is delivered, which it stays even when it is sent again.
alter table events add column undelivered text collate "C" not null default 'none'
  constraint events_undelivered check (undelivered in ('none', 'waiting', 'failed'));
-- Only those are written that wait or have failed: of all others the default is true.
update events set undelivered = found.state
from (
  select seq, case when bool_or(state = 'failed') then 'failed' else 'waiting' end as state
  from deliveries where state <> 'delivered' group by seq
) found
where events.seq = found.seq and not events.delivered;
-- In the place of events_type_index: one page of each type and state is found however many there are of the others.
create index events_state_index on events (
  type collate "C", (case when delivered then 'delivered' else undelivered end), (-seq)
);
drop index events_type_index;
