import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Attempt, Delivery, Event, Subscription } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { eventText } from '../../messages/index.ts'
import { AttemptOutcome } from '../../domain/deliveries/AttemptOutcome.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { duration } from '../../ui/duration.ts'
import { hint } from '../../ui/Hint.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './Deliveries.module.css'

const text = eventText.deliveries

export interface DeliveryEntryProps {
  readonly event: Event
  /** Of the subscription. */
  readonly id: string
  /** Absent: it was never queued for it. */
  readonly delivery: Delivery | undefined
  /** When that was read. */
  readonly nowMs: number
  /** Absent: not known, or the caller may not see it. */
  readonly subscription: Subscription | undefined
  /** Why the caller may not send it again. */
  readonly denied: string | undefined
  readonly isSending: boolean
  readonly onResend: () => void
}

/** One webhook: how the event fared there, every try, and sending it again. */
export function DeliveryEntry(props: DeliveryEntryProps) {
  const { event, id, delivery, subscription, denied, isSending, onResend } = props
  const name = hostOf(delivery?.origin ?? subscription?.url) ?? shortId(id)
  const isPaused = subscription?.enabled === false && event.type !== 'WEBHOOK_TEST'
  const missed = delivery === undefined || delivery.state === 'failed'
  const more = subscription?.description || pathOf(subscription?.url)
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <div className={classes.name}>
          {denied === undefined ? (
            <Link to={links.webhook(id)} {...hint(subscription?.url ?? id)}>
              {name}
            </Link>
          ) : (
            <span {...hint(id)}>{name}</span>
          )}
          {more !== undefined && <span className="ds-dimmed">{more}</span>}
        </div>
        <DisabledReason reason={denied ?? (isPaused ? text.paused : undefined)}>
          <Button
            variant="default"
            size="compact-xs"
            loading={isSending}
            aria-label={delivery ? text.resendTo(name) : text.sendTo(name)}
            onClick={onResend}
          >
            {delivery ? text.resend : text.send}
          </Button>
        </DisabledReason>
      </div>
      <State {...props} />
      {missed && denied === undefined && (
        <Link to={links.recoverWebhook(id, { since: event.eventtime })}>{text.recover}</Link>
      )}
      {delivery && delivery.attempts.length > 0 && <Tries name={name} attempts={delivery.attempts} />}
    </li>
  )
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : url
}

/** Tells two of one host apart; only who manages webhooks sees it. */
function pathOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined
}

/** What is due is looked for several times a second; what has been due for longer than a minute is held up. */
const dueMs = 2000
const minuteMs = 60_000

/** Said to a screen reader when it changes. */
function State({ delivery, nowMs, subscription }: DeliveryEntryProps) {
  const state = delivery?.state ?? 'unsent'
  const next = delivery?.state === 'waiting' ? delivery.next : undefined
  const waitMs = typeof next === 'string' ? Date.parse(next) - nowMs : Number.NaN
  const isHeld = state === 'waiting' && subscription?.enabled === false
  return (
    <p className={classes.state} data-state={state} aria-live="polite">
      {isHeld ? (
        text.held
      ) : Math.abs(waitMs - dueMs) < minuteMs ? (
        waitMs < dueMs ? (
          text.sending
        ) : (
          text.soon
        )
      ) : waitMs > 0 ? (
        <>
          {text.next} <Timestamp value={next} focusable />
        </>
      ) : (
        text.states[state]
      )}
    </p>
  )
}

/** The newest few; all of them where somebody asks for them. */
const shownAtFirst = 3

function Tries({ name, attempts }: { readonly name: string; readonly attempts: readonly Attempt[] }) {
  const [all, setAll] = useState(false)
  const newestFirst = attempts.toReversed()
  const shown = all ? newestFirst : newestFirst.slice(0, shownAtFirst)
  return (
    <>
      <ol aria-label={text.tries(name)} reversed className={classes.tries}>
        {shown.map((each) => (
          <Try key={each.number} attempt={each} />
        ))}
      </ol>
      {shown.length < attempts.length && (
        <Button
          variant="subtle"
          size="compact-xs"
          className={classes.more ?? ''}
          onClick={() => setAll(true)}
        >
          {text.allTries(attempts.length)}
        </Button>
      )}
    </>
  )
}

function Try({ attempt: { number, time, status, ms, error } }: { readonly attempt: Attempt }) {
  return (
    <li className={classes.try}>
      <AttemptOutcome status={status} error={error} />
      <span className={classes.took}>{typeof ms === 'number' && duration(ms)}</span>
      <span className={classes.when}>
        {text.try(number)} <Timestamp value={time} mode="exact" />
      </span>
    </li>
  )
}
