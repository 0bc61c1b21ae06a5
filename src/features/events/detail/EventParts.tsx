import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { Event, Scope } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventProperty } from '../../../domain/changes/what-happened.ts'
import { kindName } from '../../../domain/jobs/job-name.ts'
import { hasPage, links } from '../../../domain/links.ts'
import { deliveryStatusText, eventText, sharedText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { shortId } from '../../../ui/ShortId.tsx'
import { StateMark } from '../../../ui/StateMark.tsx'
import { Timestamp, useNowMs } from '../../../ui/Timestamp.tsx'

const subjectKinds = ['user', 'entity', 'segment', 'subscription'] as const
type SubjectKind = (typeof subjectKinds)[number]

const needed = {
  user: 'users:read',
  entity: 'users:read',
  segment: 'segments:read',
  subscription: 'webhooks:manage',
} as const satisfies Record<SubjectKind, Scope>

export function EventSubject({ event, tabIndex }: Pick<SubjectLinkProps, 'event' | 'tabIndex'>) {
  const subjects = subjectKinds.filter((kind) => eventProperty(event, kind) !== undefined)
  if (subjects.length === 0) return <span className="ds-dimmed">{sharedText.none}</span>
  return (
    <span>
      {subjects.map((kind) => (
        <SubjectLink key={kind} event={event} kind={kind} tabIndex={tabIndex} />
      ))}
    </span>
  )
}

export interface SubjectLinkProps {
  readonly event: Event
  readonly kind: SubjectKind
  /** Whether to show the whole id without its kind, because something else names the kind. */
  readonly full?: boolean
  /** -1 in a list with arrow-key navigation, where Tab reaches the links of the current row only. */
  readonly tabIndex?: number | undefined
  readonly children?: ReactNode
}

/** Link to a subject of an event; its plain id if nothing is left to open, or the caller may not open it. */
export function SubjectLink({ event, kind, full = false, tabIndex, children }: SubjectLinkProps) {
  const denied = useDenied(needed[kind])
  const id = eventProperty(event, kind) ?? ''
  const to = addressOf(event, kind)
  const shownId = <span className="ds-mono">{full ? id : shortId(id)}</span>
  const shown = children ?? (full ? shownId : eventText.subjects[kind].withElements({ id: shownId }))
  return to === undefined || denied !== undefined ? (
    <span {...hint(denied ?? id)}>{shown}</span>
  ) : (
    <Link to={to} tabIndex={tabIndex} {...hint(id)}>
      {shown}
    </Link>
  )
}

interface JobLinkProps extends Pick<SubjectLinkProps, 'tabIndex'> {
  readonly id: string
  readonly kind: string
}

/** Link to a job, named by its kind; its name alone if the caller may not open it. */
export function JobLink({ id, kind, tabIndex }: JobLinkProps) {
  const denied = useDenied('users:read', 'entities:read', 'entities:write')
  const name = kindName(kind) ?? kind
  if (denied !== undefined) return <span {...hint(denied)}>{name}</span>
  return (
    <Link to={links.job(id)} tabIndex={tabIndex} {...hint(id)}>
      {name}
    </Link>
  )
}

function addressOf(event: Event, kind: SubjectKind): string | undefined {
  const id = eventProperty(event, kind)
  if (id === undefined || event.type === `${kind.toUpperCase()}_DELETED`) return undefined
  if (kind === 'user') return links.user(id)
  if (kind === 'segment') return links.segment(id)
  if (kind === 'subscription') return hasPage('webhook') ? links.webhook(id) : undefined
  const user = eventProperty(event, 'user')
  return user === undefined ? undefined : links.entity(user, id)
}

export function isSubjectKind(name: string): name is SubjectKind {
  return subjectKinds.some((kind) => kind === name)
}

/** Delivery status of an event; nothing for one without a webhook. Some services report only delivered or not, even of events without a webhook. */
export function DeliveryMark({ event: { delivered, delivery } }: { readonly event: Event }) {
  if (delivery?.state === 'waiting') return <WaitingMark next={delivery.next ?? undefined} />
  if (delivery?.state === 'failed')
    return (
      <StateMark tone="failure">
        <span>
          {delivery.attempts == null
            ? deliveryStatusText.failed.short
            : deliveryStatusText.failed.afterAttempts({ count: delivery.attempts })}
        </span>
      </StateMark>
    )
  if (delivery?.state === 'none') return null
  const isDelivered = delivery?.state === 'delivered' || delivered
  if (isDelivered == null) return <span className="ds-dimmed">{sharedText.none}</span>
  return (
    <StateMark tone={isDelivered ? 'success' : undefined}>
      {isDelivered ? eventText.delivered : eventText.notDelivered}
    </StateMark>
  )
}

/** A delivery without a next time waits for a paused webhook; with a past one, an attempt is in progress. */
function WaitingMark({ next }: { readonly next: string | undefined }) {
  const waitMs = Date.parse(next ?? '') - useNowMs()
  const { short, soon, next: nextAttempt, whilePaused } = deliveryStatusText.waiting
  return (
    <StateMark tone="warning">
      <span>
        {waitMs <= 0
          ? short
          : next === undefined
            ? whilePaused
            : waitMs < 60_000
              ? soon
              : nextAttempt.withElements({ time: <Timestamp value={next} /> })}
      </span>
    </StateMark>
  )
}
