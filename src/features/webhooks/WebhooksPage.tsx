import { Button, Text } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { Subscription } from '#contract/index.ts'
import { q } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { utcMs } from '../../domain/webhooks/health.ts'
import { HealthMark, StoppedNote } from '../../domain/webhooks/HealthMark.tsx'
import { describeTypes, splitAddress } from '../../domain/webhooks/names.ts'
import { webhookText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp, useNowMs } from '../../ui/Timestamp.tsx'
import { subscriptionLayout } from './column-layout.ts'
import classes from './WebhooksPage.module.css'

const webhooksPollMs = 10_000

export function WebhooksPage() {
  const { data: subscriptions } = useSuspenseQuery({
    ...q('listSubscriptions'),
    refetchInterval: webhooksPollMs,
    refetchOnWindowFocus: true,
  })
  return (
    <>
      <PageHeader title={webhookText.title} actions={subscriptions.length > 0 && <NewSubscription />} />
      <DataTable
        label={webhookText.title}
        columns={subscriptionColumns}
        rows={subscriptions}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconWebhook size={28} stroke={1.5} />}
            title={webhookText.empty.title}
            action={<NewSubscription />}
          >
            {webhookText.empty.body}
          </EmptyState>
        }
      />
    </>
  )
}

function NewSubscription() {
  return (
    <Button component={Link} to={links.newWebhook()} leftSection={<IconPlus size={15} aria-hidden />}>
      {webhookText.newWebhook}
    </Button>
  )
}

function Address({ id, url, description, disabled }: Subscription) {
  const { host, path } = splitAddress(url)
  return (
    <span className={classes.address}>
      <Link to={links.webhook(id)} {...rowLink} {...hint(url)}>
        {host}
        <wbr />
        <span className="ds-dimmed" style={{ fontWeight: 400 }}>
          {path}
        </span>
      </Link>
      {description && (
        <Text span size="xs" c="dimmed" dir="auto">
          {description}
        </Text>
      )}
      {disabled && (
        <Text span size="xs" c="var(--mantine-color-error)" data-wraps>
          <StoppedNote disabled={disabled} />
        </Text>
      )}
    </span>
  )
}

function EventTypes(subscription: Subscription) {
  const names = describeTypes(subscription)
  return (
    <Text
      inherit
      lineClamp={3}
      className={classes.types ?? ''}
      {...(names.length > 1 && hint(names.join('\n')))}
    >
      {names.join(', ')}
    </Text>
  )
}

/** Time that an event usually waits at most; only a longer one is worth a line. */
const shortWaitMs = 60_000

function Waiting({ waiting, waitingSince }: Subscription) {
  const isLong = useNowMs() - (utcMs(waitingSince) ?? Infinity) >= shortWaitMs
  if (waiting === 0) return <span className="ds-dimmed">0</span>
  return (
    <span className={classes.waiting}>
      {number(waiting)}{' '}
      {isLong && (
        <Text span size="xs" c="dimmed">
          {webhookText.oldest.withElements({ time: <Timestamp value={waitingSince} /> })}
        </Text>
      )}
    </span>
  )
}

const { columns } = webhookText

/** Times of the last attempts, a line for each outcome that there has been, the latest one first. */
function LastAttempts({ lastSuccess, lastFailure }: Subscription) {
  const lines = [
    { id: 'succeeded', time: lastSuccess, say: webhookText.last.succeeded },
    { id: 'failed', time: lastFailure, say: webhookText.last.failed },
  ].flatMap(({ time, ...line }) => (time == null ? [] : [{ ...line, time }]))
  return (
    <span className={classes.last}>
      {lines
        .toSorted((a, b) => (utcMs(b.time) ?? 0) - (utcMs(a.time) ?? 0))
        .map(({ id, time, say }) => (
          <span key={id}>{say.withElements({ time: <Timestamp value={time} /> })}</span>
        ))}
    </span>
  )
}

const subscriptionColumns: readonly Column<Subscription>[] = [
  { ...subscriptionLayout.url, header: columns.url, cell: (row) => <Address {...row} /> },
  { ...subscriptionLayout.state, header: columns.state, cell: (row) => <HealthMark subscription={row} /> },
  { ...subscriptionLayout.types, header: columns.types, cell: (row) => <EventTypes {...row} /> },
  { ...subscriptionLayout.last, header: columns.last, cell: (row) => <LastAttempts {...row} /> },
  { ...subscriptionLayout.waiting, header: columns.waiting, cell: (row) => <Waiting {...row} /> },
]
