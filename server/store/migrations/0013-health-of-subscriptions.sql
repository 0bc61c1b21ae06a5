-- The tries of a subscription on a day, in UTC, by how long the answer took: the range of milliseconds from 2^(bucket / 4) on, to the
-- next; -1 = there was none. A row for each range, so that a month of a million tries is some hundred rows.
create table subscription_days (
  subscription_id uuid not null
    constraint subscription_days_subscription_fk references subscriptions (id) on delete cascade,
  day date not null,
  bucket smallint not null,
  succeeded integer not null,
  failed integer not null,
  constraint subscription_days_pkey primary key (subscription_id, day, bucket)
) with (fillfactor = 50);
insert into subscription_days (subscription_id, day, bucket, succeeded, failed)
select s.id, tried.time::date,
  case when tried.status is null then -1 else floor(4 * ln(greatest(tried.ms, 1)) / ln(2)) end,
  count(*) filter (where tried.error is null), count(*) filter (where tried.error is not null)
from subscriptions s join delivery_attempts tried on tried.subscription_id = s.id
  and tried.time > now() at time zone 'UTC' - interval '30 days' and tried.error is distinct from 'interrupted'
group by 1, 2, 3;
-- paused: since when it is not enabled because somebody wanted that. Of before, when it was last changed.
alter table subscriptions add column paused timestamp(3);
update subscriptions set paused = updated where not enabled and disabled is null;
