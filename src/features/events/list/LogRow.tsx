/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- rows are laid out
   as grids, and browsers then drop a table's own semantics: the roles keep them */
import { memo } from 'react'
import { Link } from 'react-router'

import type { Event } from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { eventTypeName } from '../../../domain/event-type-name.ts'
import { links } from '../../../domain/links.ts'
import { rowLink } from '../../../ui/DataTable.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { DeliveryMark } from '../detail/DeliveryMark.tsx'
import { EventSubject } from '../detail/EventSubject.tsx'
import { type EventLookUps, useLookedUp } from './lookups.ts'
import { EventAbout, EventBy } from './EventAbout.tsx'
import classes from './LogList.module.css'

export interface LogRowProps {
  readonly event: Event
  /** Index, counted from the newest loaded event. */
  readonly index: number
  readonly top: number
  readonly isOpen: boolean
  /** Whether Tab leads to this row; the arrow keys lead to all others. */
  readonly isCurrent: boolean
  /** Whether the event is the newest one before the moment that the list was opened at. */
  readonly isMoment: boolean
  /** Whether opening this event replaces another open one, also in the browser history. */
  readonly replaces: boolean
  readonly search: string
  /** Whether the row has room for the full delivery status. */
  readonly isWide: boolean
  readonly lookUps: EventLookUps
}

export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { event, index, top, isOpen, isCurrent, isMoment, replaces, search, isWide } = props
  const { lookUps } = props
  // The rows of a full service show more.
  const full = isFull()
  const { person, change } = useLookedUp(event, lookUps)
  const { id, type, eventtime } = event
  const label = eventTypeName(type)
  return (
    <tr
      role="row"
      // Row 1 is the header row.
      aria-rowindex={index + 2}
      data-id={id}
      data-selected={isOpen || undefined}
      data-moment={isMoment || undefined}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td role="cell" className={classes.time}>
        <span className={classes.clock}>
          <Timestamp value={eventtime} mode="minute" />
        </span>
        <span className={classes.ago}>
          <Timestamp value={eventtime} />
        </span>
      </td>
      <td role="cell" className={classes.type}>
        <Link
          to={{ pathname: links.event(id), search }}
          replace={replaces}
          preventScrollReset
          tabIndex={isCurrent ? 0 : -1}
          aria-current={isOpen || undefined}
          // Focus target for when the event panel closes; the arrow keys continue from here.
          data-restored
          {...rowLink}
          {...(label !== undefined && hint(type))}
        >
          {label ?? <span className="ds-mono">{type}</span>}
        </Link>
      </td>
      <td role="cell" className={classes.subject}>
        {full ? (
          <EventAbout {...{ event, person, change }} tabIndex={isCurrent ? undefined : -1} />
        ) : (
          <EventSubject event={event} tabIndex={isCurrent ? undefined : -1} />
        )}
      </td>
      {full && (
        <td role="cell" className={classes.by}>
          <EventBy event={event} change={change} />
        </td>
      )}
      <td role="cell" className={classes.delivery}>
        <DeliveryMark event={event} isShort={!isWide} />
      </td>
    </tr>
  )
})
