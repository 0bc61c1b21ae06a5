import { Box, DataList, Group, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import type { RecentAttempt, Subscription } from '#contract/index.ts'
import { ApiError, q } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { webhookText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import classes from '../../ui/Beside.module.css'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BackLink } from '../../domain/BackLink.tsx'
import { HealthMark } from '../../domain/webhooks/HealthMark.tsx'
import { healthOf } from '../../domain/webhooks/health.ts'
import { describeTypes, webhookName } from '../../domain/webhooks/names.ts'
import { Health } from './Health.tsx'
import { MissedNotice, StateNotice, TestNotice, type WebhookTest } from './Notices.tsx'
import { missedSince } from './missed-since.ts'
import type { TimeSpan } from './queries.ts'
import { RecentAttempts } from './RecentAttempts.tsx'
import { WebhookActions } from './WebhookActions.tsx'

const webhookPollMs = 5000
/** Interval between polls while a test is in progress. */
const testPollMs = 500
/** Time after which a test without a first attempt counts as waiting for something else. */
const testPatienceMs = 30_000

const isWebhookGone = (error: Error | null) => error instanceof ApiError && error.status === 404

/** Returns whether the first attempt of a test is still expected soon. */
const awaitsAttempt = (test: WebhookTest | undefined, attempts: readonly RecentAttempt[] | undefined) =>
  test !== undefined &&
  !attempts?.some(({ event }) => event === test.event) &&
  Date.now() - test.sentMs < testPatienceMs

/** Page of one webhook: the state of its deliveries, and all actions on it. */
export function WebhookPage() {
  const { subscriptionId = '' } = useParams()
  return <Webhook key={subscriptionId} id={subscriptionId} />
}

function Webhook({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const [test, setTest] = useState<WebhookTest>()
  const [resumed, setResumed] = useState<TimeSpan>()
  const attempts = useQuery({
    ...q('listRecentAttempts', { params: { subscription_id: id } }),
    refetchInterval: ({ state: { data, error } }) =>
      isWebhookGone(error) ? false : awaitsAttempt(test, data) ? testPollMs : webhookPollMs,
  })
  const attempt = attempts.data?.findLast(({ event }) => event === test?.event)
  const isSlow = test !== undefined && attempts.dataUpdatedAt - test.sentMs >= testPatienceMs
  const isTesting = test !== undefined && !attempt && !isSlow
  const { data: subscription, error } = useSuspenseQuery({
    ...q('getSubscription', { params: { subscription_id: id } }),
    refetchInterval: ({ state }) =>
      isWebhookGone(state.error) ? false : isTesting ? testPollMs : webhookPollMs,
    refetchOnWindowFocus: true,
  })

  const leave = async () => {
    await navigate(links.webhooks(), { replace: true })
    showToast({ message: webhookText.remove.deleted({ name: webhookName(subscription) }) })
  }
  return (
    <>
      <PageHeader
        above={<BackLink to={links.webhooks()}>{webhookText.title}</BackLink>}
        title={webhookName(subscription)}
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
          <WebhookActions
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
          {isWebhookGone(error) && (
            <Box mb="md">
              <InlineFailure title={webhookText.failures.missing.body}>
                <Link to={links.webhooks()}>{webhookText.failures.back}</Link>
              </InlineFailure>
            </Box>
          )}
          {/* A failed test has its own, more specific notice. */}
          {!(test && healthOf(subscription) === 'failing') && <StateNotice subscription={subscription} />}
          <div aria-live="polite">
            {resumed && subscription.enabled && (
              <MissedNotice id={id} span={resumed} onClose={() => setResumed(undefined)} />
            )}
            {test && (
              <TestNotice test={test} attempt={attempt} isSlow={isSlow} onClose={() => setTest(undefined)} />
            )}
          </div>
          <Health id={id} />
          <RecentAttempts read={attempts} />
        </div>
        <WebhookFacts subscription={subscription} since={missedSince(subscription, attempts.data)} />
      </div>
    </>
  )
}

interface WebhookFactsProps {
  readonly subscription: Subscription
  /** Time since when the webhook may have missed events. */
  readonly since: string
}

function WebhookFacts({ subscription, since }: WebhookFactsProps) {
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
    <Fact name={name}>
      {value == null ? (
        <span className="ds-dimmed">{webhookText.never}</span>
      ) : (
        <Timestamp value={value} mode="minute" focusable />
      )}
    </Fact>
  )
}
