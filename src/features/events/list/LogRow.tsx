/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- rows are laid out
   as grids, and browsers then drop a table's own semantics: the roles keep them */
import { memo } from 'react'
import { Link } from 'react-router'

import type { Event, LookedUpChangeset, LookedUpUser } from '#contract/index.ts'
import { usePerson } from '../../../auth/use-session.ts'
import { fieldName } from '../../../domain/changes/labels.ts'
import { eventProperty, isRead, sensitiveKeysOf } from '../../../domain/changes/what-happened.ts'
import { eventTypeName } from '../../../domain/event-type-name.ts'
import { type JobOfEvent, jobOfEvent } from '../../../domain/jobs/result.ts'
import { propertyLabel, typeLabel, typeWithin, useLabels } from '../../../domain/labels.ts'
import { links } from '../../../domain/links.ts'
import { nameOf } from '../../../domain/people/user-fields.ts'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { eventAboutText, jobsText, reasonText, sharedText } from '../../../messages/index.ts'
import { rowLink } from '../../../ui/DataTable.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { shortId } from '../../../ui/ShortId.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { DeliveryMark, EventSubject, JobLink, SubjectLink } from '../detail/EventParts.tsx'
import type { EventFilter } from '../log/filter.ts'
import { useLookedUp } from '../log/lookups.ts'
import classes from './LogList.module.css'

export interface LogRowProps {
  readonly event: Event
  /** Index, counted from the newest loaded event. */
  readonly index: number
  readonly top: number
  readonly isOpen: boolean
  /** Whether Tab leads to this row; the arrow keys lead to all others. */
  readonly isCurrent: boolean
  /** Whether opening this event replaces another open one, also in the browser history. */
  readonly replaces: boolean
  readonly search: string
  /** Filter of the list; undefined if the service has none. */
  readonly filter: EventFilter | undefined
  /** Events that are looked up with this one; undefined if the service has no look-ups. */
  readonly page: readonly Event[] | undefined
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { event, index, top, isOpen, isCurrent, replaces, search, filter, page } = props
  useLabels()
  const tabIndex = isCurrent ? undefined : -1
  const { person, change } = useLookedUp(event, page)
  const { id, type, eventtime } = event
  const label = eventTypeName(type)
  return (
    <tr
      role="row"
      // Row 1 is the header row.
      aria-rowindex={index + 2}
      data-id={id}
      data-selected={isOpen || undefined}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td role="cell" className={classes.time}>
        <Timestamp value={eventtime} mode="recent" />
      </td>
      <td role="cell" className={classes.type}>
        <Link
          to={{ pathname: links.event(id), search }}
          replace={replaces}
          preventScrollReset
          tabIndex={isCurrent ? 0 : -1}
          aria-current={isOpen || undefined}
          // Keeps the focus that the closing event panel returns to it; the arrow keys continue from here.
          data-restored
          {...rowLink}
          {...(label !== undefined && hint(type))}
        >
          {label ?? <span className="ds-mono">{type}</span>}
        </Link>
      </td>
      <td role="cell" className={classes.subject}>
        <EventAbout {...{ event, person, change, tabIndex }} />
      </td>
      <td role="cell" className={classes.by}>
        <EventBy {...{ event, change, filter, tabIndex }} />
      </td>
      <td role="cell" className={classes.delivery}>
        <DeliveryMark event={event} />
      </td>
    </tr>
  )
})

/** Event with its looked-up data. `undefined` while loading; `null` if there is none, or the caller may not see it. */
interface EventAboutProps {
  readonly event: Event
  readonly person: LookedUpUser | null | undefined
  readonly change: LookedUpChangeset | null | undefined
  /** -1 in a list with arrow-key navigation, where Tab reaches the links of the current row only. */
  readonly tabIndex: number | undefined
}

/** Number of keys that a row names; further ones are only counted. */
const namedKeys = 4

/** Subject of an event, with the properties concerned: "Nora Ek · person: Phone, Plate". Falls back to ids. */
function EventAbout({ event, person, change, tabIndex }: EventAboutProps) {
  const job = jobOfEvent(event)
  if (job) return <JobAbout job={job} tabIndex={tabIndex} />
  const hasUser = eventProperty(event, 'user') !== undefined
  // Without a user (events of segments and webhooks), or without details to show, the row shows ids.
  if (!hasUser || (person === null && change === null && sensitiveKeysOf(event).length === 0))
    return <EventSubject event={event} tabIndex={tabIndex} />
  const detail =
    eventProperty(event, 'entity') !== undefined ? (
      <EntityChange event={event} change={change} tabIndex={tabIndex} />
    ) : (
      event.type === 'USER_UPDATED' &&
      change !== null &&
      (change ? keysOf(change, fieldName) : <span className={classes.unknown} />)
    )
  const isAwaited = person === undefined || change === undefined
  return (
    <span className={classes.about} aria-busy={isAwaited || undefined}>
      <UserName event={event} person={person} tabIndex={tabIndex} />
      {detail && <> · {detail}</>}
    </span>
  )
}

interface JobAboutProps extends Pick<EventAboutProps, 'tabIndex'> {
  readonly job: JobOfEvent
}

/** Job and its result, with a link to the events of its changes, which this row stands for. */
function JobAbout({ job: { id, kind, result }, tabIndex }: JobAboutProps) {
  return (
    <span className={classes.about}>
      <JobLink id={id} kind={kind} tabIndex={tabIndex} />
      {result !== undefined && ` · ${result}`}
      <span className={classes.each}>
        {' · '}
        <Link to={links.events({ job: id })} tabIndex={tabIndex}>
          {jobsText.changes}
        </Link>
      </span>
    </span>
  )
}

function UserName({ event, person, tabIndex }: Omit<EventAboutProps, 'change'>) {
  const user = eventProperty(event, 'user') ?? ''
  if (person === undefined) return <span className={classes.unknown} />
  if (person === null) return <SubjectLink event={event} kind="user" tabIndex={tabIndex} />
  const name = nameOf(person)
  const shown =
    name === undefined ? <span className="ds-dimmed">{eventAboutText.noName}</span> : <bdi>{name}</bdi>
  // The name was looked up before the user was deleted; there is no page to open.
  if (event.type === 'USER_DELETED') return <span {...hint(user)}>{shown}</span>
  return (
    <Link to={links.user(user)} tabIndex={tabIndex} className={classes.name} {...hint(user)}>
      {shown}
    </Link>
  )
}

function EntityChange({ event, change, tabIndex }: Omit<EventAboutProps, 'person'>) {
  const link = (kind?: string) => (
    <SubjectLink event={event} kind="entity" tabIndex={tabIndex}>
      {kind}
    </SubjectLink>
  )
  if (isRead(event)) {
    const keys = sensitiveKeysOf(event)
    if (keys.length === 0) return link()
    const changes = keys.map((key) => ({ key, sensitive: true }))
    return <KeyList changes={changes} total={keys.length} labelOf={(key) => propertyLabel(undefined, key)} />
  }
  if (change === undefined) return <span className={classes.unknown} />
  if (change === null || typeof change.entityType !== 'string') return link()
  const { op, entityType: type } = change
  if (op === 'remove')
    return (
      <span {...hint(eventProperty(event, 'entity'))}>
        {eventAboutText.removed({ type: typeLabel(type) })}
      </span>
    )
  const kind = link(op === 'add' ? eventAboutText.added({ type: typeWithin(type) }) : typeLabel(type))
  if (change.changes.length === 0) return kind
  const properties = keysOf(change, (key) => propertyLabel(type, key))
  return eventAboutText.changed.withElements({ entity: kind, properties })
}

const keysOf = ({ changes, total }: LookedUpChangeset, labelOf: KeyListProps['labelOf']) => (
  <KeyList changes={changes} total={total} labelOf={labelOf} />
)

interface KeyListProps {
  readonly changes: readonly { readonly key: string; readonly sensitive?: boolean | null | undefined }[]
  readonly total: number
  readonly labelOf: (key: string) => string
}

function KeyList({ changes, total, labelOf }: KeyListProps) {
  const more = total - Math.min(changes.length, namedKeys)
  const parts = changes.slice(0, namedKeys).map(({ key, sensitive }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- they never change
    <span key={index}>
      {index > 0 && ', '}
      <bdi className={sensitive === true ? classes.sensitive : undefined}>{labelOf(key)}</bdi>
      {sensitive === true && <SensitiveMark />}
    </span>
  ))
  return (
    <span {...(more > 0 && hint(changes.map(({ key }) => labelOf(key)).join(', ')))}>
      {more > 0 ? eventAboutText.more.withElements({ properties: <>{parts}</>, count: more }) : parts}
    </span>
  )
}

type EventByProps = Pick<EventAboutProps, 'event' | 'change' | 'tabIndex'> & Pick<LogRowProps, 'filter'>

/** Links the actor to their events within the filter, and tells the reason. */
function EventBy({ event, change, filter, tabIndex }: EventByProps) {
  const you = usePerson().subject
  const actor = eventProperty(event, 'actor')
  const reason = eventProperty(event, 'reason') ?? change?.reason
  if (actor === undefined && reason === undefined) return <span className="ds-dimmed">{sharedText.none}</span>
  const name = actor === you ? eventAboutText.you : <bdi>{shortId(actor ?? '')}</bdi>
  return (
    <>
      {actor !== undefined &&
        (filter ? (
          <Link
            to={links.events({ ...filter, actor })}
            tabIndex={tabIndex}
            aria-label={eventAboutText.only({ actor })}
            {...hint(actor)}
          >
            {name}
          </Link>
        ) : (
          <span {...hint(actor)}>{name}</span>
        ))}
      {reason !== undefined && (
        <span className={classes.reason} dir="auto" {...hint(reason)}>
          {reasonText.quoted({ reason })}
        </span>
      )}
    </>
  )
}
