import { Box, DataList, Group, Stack, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import type { RecentAttempt, Subscription, SubscriptionHealth } from '#contract/index.ts'
import { q } from '../../api/index.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { InlineFailure, QueryPart } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { isRefused } from '../../domain/page-route.ts'
import { healthOf } from '../../domain/webhooks/health.ts'
import { HealthMark } from '../../domain/webhooks/HealthMark.tsx'
import { describeTypes, subscriptionName } from '../../domain/webhooks/names.ts'
import { webhookText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { duration } from '../../ui/duration.ts'
import { Fact } from '../../ui/Facts.tsx'
import { hint } from '../../ui/Hint.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import { dateOf } from '../../ui/time.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { MissedNotice, StateNotice, TestNotice, type SubscriptionTest } from './Notices.tsx'
import { missedSince, type TimeSpan } from './queries.ts'
import { RecentAttempts } from './RecentAttempts.tsx'
import { SubscriptionActions } from './SubscriptionActions.tsx'
import classes from '../../ui/Beside.module.css'
import healthClasses from './WebhookPage.module.css'

const subscriptionPollMs = 5000
const testPollMs = 500
/** Time after which a test without a first attempt counts as slow. */
const testPatienceMs = 30_000

const awaitsAttempt = (test: SubscriptionTest | undefined, attempts: readonly RecentAttempt[] | undefined) =>
  test !== undefined &&
  !attempts?.some(({ event }) => event === test.event) &&
  Date.now() - test.sentMs < testPatienceMs

/** Page of one webhook: the state of its deliveries, and all actions on it. */
export function WebhookPage() {
  const { subscriptionId = '' } = useParams()
  return <SubscriptionDetail key={subscriptionId} id={subscriptionId} />
}

function SubscriptionDetail({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const [test, setTest] = useState<SubscriptionTest>()
  const [resumed, setResumed] = useState<TimeSpan>()
  const attempts = useQuery({
    ...q('listRecentAttempts', { params: { subscription_id: id } }),
    refetchInterval: ({ state: { data, error } }) =>
      isRefused(error, 404) ? false : awaitsAttempt(test, data) ? testPollMs : subscriptionPollMs,
  })
  const attempt = attempts.data?.findLast(({ event }) => event === test?.event)
  const isSlow = test !== undefined && attempts.dataUpdatedAt - test.sentMs >= testPatienceMs
  const isTesting = test !== undefined && !attempt && !isSlow
  const { data: subscription, error } = useSuspenseQuery({
    ...q('getSubscription', { params: { subscription_id: id } }),
    refetchInterval: ({ state }) =>
      isRefused(state.error, 404) ? false : isTesting ? testPollMs : subscriptionPollMs,
    refetchOnWindowFocus: true,
  })

  const leave = async () => {
    await navigate(links.webhooks(), { replace: true })
    showToast({ message: webhookText.remove.deleted({ name: subscriptionName(subscription) }) })
  }
  return (
    <>
      <PageHeader
        above={<BackLink to={links.webhooks()}>{webhookText.title}</BackLink>}
        title={subscriptionName(subscription)}
        below={
          <>
            <HealthMark subscription={subscription} />
            <Group gap={4} wrap="nowrap" miw={0}>
              <Text span lineClamp={3} className="ds-mono">
                {subscription.url}
              </Text>
              <CopyButton value={subscription.url} label={webhookText.detail.copyUrl} />
            </Group>
          </>
        }
        actions={
          <SubscriptionActions
            subscription={subscription}
            isTesting={isTesting}
            onTest={(event) => setTest({ event, sentMs: Date.now() })}
            onPause={() => setResumed(undefined)}
            onResume={() => setResumed({ since: missedSince(subscription, attempts.data) })}
            onDeleted={leave}
          />
        }
      />
      <div className={classes.columns}>
        <div>
          {isRefused(error, 404) && (
            <Box mb="md">
              <InlineFailure title={webhookText.failures.missing.body}>
                <Link to={links.webhooks()}>{webhookText.failures.back}</Link>
              </InlineFailure>
            </Box>
          )}
          {/* A failed test has its own, more specific notice. */}
          {!(test && healthOf(subscription) === 'failing') && <StateNotice subscription={subscription} />}
          <Announced as="div">
            {resumed && subscription.enabled && (
              <MissedNotice id={id} span={resumed} onClose={() => setResumed(undefined)} />
            )}
            {test && (
              <TestNotice test={test} attempt={attempt} isSlow={isSlow} onClose={() => setTest(undefined)} />
            )}
          </Announced>
          <Health id={id} />
          <RecentAttempts query={attempts} />
        </div>
        <SubscriptionFacts subscription={subscription} since={missedSince(subscription, attempts.data)} />
      </div>
    </>
  )
}

interface SubscriptionFactsProps {
  readonly subscription: Subscription
  /** Start of the time in which the webhook may have missed events. */
  readonly since: string
}

function SubscriptionFacts({ subscription, since }: SubscriptionFactsProps) {
  const { id, description, types, waiting, waitingSince, previousSecretUntil } = subscription
  const { detail } = webhookText
  return (
    <DataList orientation="vertical" className={classes.facts ?? ''}>
      {description && (
        <Fact name={detail.description}>
          <span dir="auto" style={{ whiteSpace: 'pre-line' }}>
            {description}
          </span>
        </Fact>
      )}
      <Fact name={detail.types}>
        {describeTypes(subscription).map((type) => (
          <div key={type}>{type}</div>
        ))}
      </Fact>
      <Fact name={detail.waiting}>
        {waiting > 0 && waitingSince != null
          ? detail.waitingSince.withElements({
              count: waiting,
              time: <Timestamp value={waitingSince} focusable />,
            })
          : number(waiting)}
        <br />
        <Link to={links.recoverWebhook(id, { since })}>{detail.recover}</Link>
      </Fact>
      <Fact name={detail.inLog}>
        {(['delivered', 'waiting', 'failed'] as const).map((delivery) => (
          // Line height of 24px: the minimum target size for touch.
          <Text key={delivery} component="div" size="sm" lh="24px">
            <Link to={links.events({ type: types?.join(','), delivery })}>{detail.states[delivery]}</Link>
          </Text>
        ))}
        <Text span size="xs" c="dimmed">
          {detail.inLogHint}
        </Text>
      </Fact>
      <MomentFact name={detail.lastSuccess} value={subscription.lastSuccess} />
      <MomentFact name={detail.lastFailure} value={subscription.lastFailure} />
      {previousSecretUntil != null && <MomentFact name={detail.previousSecret} value={previousSecretUntil} />}
      <Fact name={detail.id}>
        <ShortId id={id} />
      </Fact>
      <MomentFact name={detail.created} value={subscription.created} />
      <MomentFact name={detail.updated} value={subscription.updated} />
    </DataList>
  )
}

function MomentFact({ name, value }: { readonly name: string; readonly value: string | null | undefined }) {
  return (
    <Fact name={name} none={webhookText.never}>
      {value != null && <Timestamp value={value} mode="minute" focusable />}
    </Fact>
  )
}

const healthText = webhookText.health
type HealthDay = SubscriptionHealth['days'][number]

/** Shows the outcomes of the last days' attempts: one bar per day, a summary, and a table. */
function Health({ id }: { readonly id: string }) {
  const query = useQuery(q('getHealth', { params: { subscription_id: id } }))
  return (
    <Stack component="section" gap="xs" pb="lg" fz="sm" aria-label={healthText.title}>
      <Text component="h2" size="sm" fw={500} c="dimmed">
        {healthText.title}
      </Text>
      <QueryPart query={query} title={healthText.failed} skeleton={<SkeletonBar height="72px" />}>
        {(health) => <HealthReport {...health} />}
      </QueryPart>
    </Stack>
  )
}

function HealthReport({ days, succeeded, failed, p50Ms, p95Ms }: SubscriptionHealth) {
  const most = Math.max(1, ...days.map((day) => day.succeeded + day.failed))
  const activeDays = days.filter((day) => day.succeeded + day.failed > 0)
  return (
    <>
      <div className={healthClasses.strip} aria-hidden>
        {days.map((day) => (
          <span key={day.day} className={healthClasses.day} {...hint(describeDay(day))}>
            <span className={healthClasses.failed} style={{ height: barHeight(day.failed, most) }} />
            <span className={healthClasses.succeeded} style={{ height: barHeight(day.succeeded, most) }} />
          </span>
        ))}
      </div>
      <p>
        {succeeded + failed === 0
          ? healthText.unused
          : healthText.succeeded({ share: shareOf(succeeded, failed), count: succeeded + failed })}
      </p>
      {typeof p50Ms === 'number' && typeof p95Ms === 'number' && (
        <p className="ds-dimmed">{healthText.answers({ half: duration(p50Ms), most: duration(p95Ms) })}</p>
      )}
      {activeDays.length > 0 && (
        <details>
          <summary>{healthText.asTable}</summary>
          <DataTable
            label={healthText.title}
            columns={dayColumns}
            rows={activeDays.toReversed()}
            rowKey={({ day }) => day}
            empty={null}
          />
        </details>
      )}
    </>
  )
}

/** Returns the CSS height of a bar: 0, or at least 3px, so that a single attempt among thousands is visible. */
const barHeight = (count: number, most: number) =>
  count === 0 ? '0' : `max(3px, ${((count / most) * 100).toFixed(1)}%)`

/** Returns the share of successful attempts, rounded down, so that a single failure never shows as 100 %. */
const shareOf = (succeeded: number, failed: number) =>
  Math.floor((succeeded / (succeeded + failed)) * 1000) / 1000

function describeDay(day: HealthDay): string {
  const { succeeded, failed } = day
  return succeeded + failed === 0
    ? healthText.dayUnused({ day: dayName(day) })
    : healthText.day({ day: dayName(day), succeeded, failed })
}

const dayName = ({ day }: HealthDay) => dateOf(Date.parse(day), 'utc')

const dayColumns: readonly Column<HealthDay>[] = [
  { id: 'day', header: healthText.columns.day, cell: dayName },
  ...(['succeeded', 'failed'] as const).map((id): Column<HealthDay> => ({
    id,
    header: healthText.columns[id],
    width: '112px',
    align: 'end',
    narrow: 'labelled',
    cell: (day) => number(day[id]),
  })),
]
