import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Attempt, Delivery, Event, Subscription } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { AttemptOutcome } from '../../../domain/deliveries/AttemptOutcome.tsx'
import { links } from '../../../domain/links.ts'
import { splitAddress } from '../../../domain/webhooks/names.ts'
import { attemptText, deliveriesText } from '../../../messages/index.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import { shortId } from '../../../ui/ShortId.tsx'
import { takeFew } from '../../../ui/show-more.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import classes from './Deliveries.module.css'

/** A webhook, and how an event fared there. */
export interface WebhookEntry {
  readonly id: string
  /** Delivery to this webhook; undefined if it was never queued. */
  readonly delivery?: Delivery | undefined
  /** Webhook of the delivery; undefined if unknown, or hidden from the caller. */
  readonly subscription?: Subscription | undefined
}

interface DeliveryEntryProps extends WebhookEntry {
  readonly event: Event
  /** Time at which the delivery was read. */
  readonly nowMs: number
  readonly isSending: boolean
  readonly onResend: () => void
}

export function DeliveryEntry(props: DeliveryEntryProps) {
  const { event, id, delivery, subscription, isSending, onResend } = props
  const denied = useDenied('webhooks:manage')
  const address = delivery?.origin ?? subscription?.url
  const name = address === undefined ? shortId(id) : splitAddress(address).host
  const isPaused = subscription?.enabled === false && event.type !== 'WEBHOOK_TEST'
  const missed = delivery === undefined || delivery.state === 'failed'
  // Two webhooks may be on the same host. Only people who manage webhooks see more of their addresses.
  const more = subscription && (subscription.description || splitAddress(subscription.url).path)
  return (
    <Stack component="li" align="start" gap={4} py="xs" fz="sm">
      <Group wrap="nowrap" align="baseline" justify="space-between" gap="sm" w="100%">
        <Group gap="0 8px" miw={0}>
          {denied === undefined ? (
            <Text
              component={Link}
              to={links.webhook(id)}
              size="sm"
              fw={500}
              {...hint(subscription?.url ?? id)}
            >
              {name}
            </Text>
          ) : (
            <Text span size="sm" fw={500} {...hint(id)}>
              {name}
            </Text>
          )}
          {more && <span className="ds-dimmed">{more}</span>}
        </Group>
        <DisabledReason reason={denied ?? (isPaused ? deliveriesText.paused : undefined)}>
          <Button
            variant="default"
            size="compact-xs"
            loading={isSending}
            aria-label={deliveriesText[delivery ? 'resendTo' : 'sendTo']({ webhook: name })}
            onClick={onResend}
          >
            {delivery ? deliveriesText.resend : deliveriesText.send}
          </Button>
        </DisabledReason>
      </Group>
      <DeliveryState {...props} />
      {missed && denied === undefined && (
        <Link to={links.recoverWebhook(id, { since: event.eventtime })}>{deliveriesText.recover}</Link>
      )}
      {delivery && delivery.attempts.length > 0 && <Attempts name={name} attempts={delivery.attempts} />}
    </Stack>
  )
}

/** Time before an attempt from which it is shown as being sent; the service looks several times a second. */
const dueMs = 2000
/** Within this time before or after it is due, an attempt is imminent or running; one overdue by more is held up. */
const imminentMs = 60_000

const deliveryTones = {
  delivered: 'success',
  waiting: 'warning',
  failed: 'failure',
  unsent: undefined,
} as const

/** Delivery status, whose changes are announced. */
function DeliveryState({ delivery, nowMs, subscription }: DeliveryEntryProps) {
  const state = delivery?.state ?? 'unsent'
  const next = delivery?.state === 'waiting' ? delivery.next : undefined
  const waitMs = typeof next === 'string' ? Date.parse(next) - nowMs : Number.NaN
  const isHeld = state === 'waiting' && subscription?.enabled === false
  const isImminent = Math.abs(waitMs - dueMs) < imminentMs
  return (
    <Announced as="div" data-delivery-state>
      <StateMark tone={deliveryTones[state]}>
        {isHeld
          ? deliveriesText.held
          : isImminent
            ? deliveriesText[waitMs < dueMs ? 'sending' : 'soon']
            : waitMs > 0
              ? deliveriesText.next.withElements({ time: <Timestamp value={next} focusable /> })
              : deliveriesText.states[state]}
      </StateMark>
    </Announced>
  )
}

const shownAtFirst = 3

function Attempts({ name, attempts }: { readonly name: string; readonly attempts: readonly Attempt[] }) {
  const [all, setAll] = useState(false)
  const newestFirst = attempts.toReversed()
  const shown = all ? newestFirst : takeFew(newestFirst, shownAtFirst)
  return (
    <>
      <ol
        aria-label={deliveriesText.attempts({ webhook: name })}
        reversed
        style={{ width: '100%', margin: 0, padding: 0 }}
      >
        {shown.map((each) => (
          <AttemptItem key={each.number} attempt={each} />
        ))}
      </ol>
      {shown.length < attempts.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          {deliveriesText.allAttempts({ count: attempts.length })}
        </Button>
      )}
    </>
  )
}

function AttemptItem({ attempt }: { readonly attempt: Attempt }) {
  const { number, time, status, ms, error } = attempt
  return (
    <Group component="li" gap="0 8px" py={4} align="baseline" justify="space-between">
      <AttemptOutcome status={status} error={error} />
      <Text span size="xs" c="dimmed">
        {typeof ms === 'number' && duration(ms)}
      </Text>
      <Text span size="xs" c="dimmed" flex="0 0 100%" ps={14}>
        {deliveriesText.attempt.withElements({
          attempt: number,
          time: <Timestamp value={time} mode="minute" />,
        })}
      </Text>
      <AttemptDetail attempt={attempt} />
    </Group>
  )
}

/** Request and response of an attempt, collapsed. Renders nothing if the service keeps neither, or hides both. */
function AttemptDetail({ attempt: { request, response } }: { readonly attempt: Attempt }) {
  if (!request && !response) return null
  return (
    <details className={classes.attemptDetail}>
      <summary>{attemptText.detail}</summary>
      {request && (
        <>
          <h4>{attemptText.request}</h4>
          <Headers headers={request.headers} />
        </>
      )}
      {response && (
        <>
          <h4>{attemptText.response}</h4>
          <Headers headers={response.headers} />
          {response.body === '' ? (
            <p className="ds-dimmed">{attemptText.noBody}</p>
          ) : (
            <Code
              block
              tabIndex={0}
              mah={240}
              mt="xs"
              className={classes.body ?? ''}
              aria-label={attemptText.body}
            >
              {response.body}
            </Code>
          )}
          {response.truncated === true && <p className="ds-dimmed">{attemptText.truncated}</p>}
        </>
      )}
    </details>
  )
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <dl className={classes.headers}>
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
