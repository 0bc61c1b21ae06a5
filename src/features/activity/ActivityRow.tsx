import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { Changeset, Event } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { usePerson } from '../../auth/use-session.ts'
import { activityText, changeText } from '../../messages/index.ts'
import { ChangedValue, type ChangedValueProps } from '../../domain/changes/ChangedValue.tsx'
import { Changes } from '../../domain/changes/Changes.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { isRead } from '../../domain/changes/is-read.ts'
import { isSensitive } from '../../domain/changes/is-sensitive.ts'
import { RestoreButton } from '../../domain/restoring/RestoreButton.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { useCameNear } from '../../ui/use-came-near.ts'
import { changesetQuery } from '../../domain/queries/changesets.ts'
import classes from './ActivityList.module.css'
import { activityKind } from './bursts.ts'
import { changeLabel } from '../../domain/changes/labels.ts'
import { eventLine, eventProperty } from '../../domain/changes/what-happened.ts'
import { HiddenBar } from '../../domain/values/HiddenBar.tsx'
import { fewOf } from '../../ui/few-of.ts'

interface ActivityRowProps {
  readonly event: Event
  readonly userId: string
  /** Type of each of the user's existing entities, by entity id; undefined while unknown. */
  readonly entityTypes: ReadonlyMap<string, string> | undefined
  readonly eager: boolean
  /** Whether the list has an earlier event about the same entity. */
  readonly isLater: boolean
  /** Heading of the day, above the first row of each day. */
  readonly day?: string | undefined
  /** Earlier events of the same burst that are still collapsed. */
  readonly more?: { readonly count: number; readonly onShow: () => void } | undefined
}

/** One event: time, subject, actor. Expanded, it shows the changes and a link to the subject. */
export function ActivityRow(props: ActivityRowProps) {
  const { event, userId, entityTypes, eager, isLater, day, more } = props
  const [open, setOpen] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const near = useCameNear(row, eager)
  const detailsId = useId()
  const changesetId = eventProperty(event, 'changeset')
  // Changesets of a deleted user are erased together with the user.
  const asks = changesetId !== undefined && event.type !== 'USER_DELETED'
  const changes = useQuery({
    ...changesetQuery(userId, changesetId ?? ''),
    enabled: asks && (near || open),
  })
  const known = { changeset: changes.data, entityTypes, isRestored: isLater }
  const { what, actor, reason } = eventLine(event, known)

  return (
    <li ref={row} className={classes.row} data-kind={activityKind(event)}>
      {day !== undefined && <p className={classes.day}>{day}</p>}
      <div className={classes.head}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={detailsId}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={14} className={classes.chevron} aria-hidden />
          <span className={classes.what}>
            {what}
            {(isRead(event) || changes.data?.changes.some(isSensitive) === true) && (
              <>
                {' '}
                <SensitiveMark />
              </>
            )}
          </span>
        </button>
        <span className={classes.who}>
          {actor !== undefined && <Actor subject={actor} />} <Timestamp value={event.eventtime} mode="time" />
        </span>
      </div>
      {reason !== undefined && <p className={classes.reason}>{activityText.reason({ reason })}</p>}
      {changes.data && !open && <ShortChanges changeset={changes.data} />}
      {more && (
        <button type="button" className={classes.more} onClick={more.onShow}>
          {activityText.similar({ count: more.count })}
        </button>
      )}
      <div id={detailsId} hidden={!open} className={classes.details}>
        {open && (
          <>
            {asks && <WhatChanged query={changes} />}
            <EventLinks event={event} userId={userId} entityTypes={entityTypes} changeset={changes.data} />
          </>
        )}
      </div>
    </li>
  )
}

function Actor({ subject }: { readonly subject: string }) {
  const you = usePerson().subject === subject
  return (
    <span className={classes.actor}>{you ? activityText.byYou : activityText.by({ actor: subject })}</span>
  )
}

type ChangesetResult = ReturnType<
  typeof useQuery<Awaited<ReturnType<NonNullable<ReturnType<typeof changesetQuery>['queryFn']>>>>
>

function WhatChanged({ query }: { readonly query: ChangesetResult }) {
  const { data, error, isFetching, refetch } = query
  if (data) return <Changes changeset={data} />
  if (!error || isFetching) return <SkeletonRows rows={2} height="30px" />
  if (error instanceof ApiError && error.status === 404)
    return <p className="ds-dimmed">{activityText.changesGone}</p>
  return <InlineFailure title={activityText.changesFailed} error={error} onRetry={() => void refetch()} />
}

interface EventLinksProps extends Pick<ActivityRowProps, 'event' | 'userId' | 'entityTypes'> {
  readonly changeset: Changeset | undefined
}

function EventLinks({ event, userId, entityTypes, changeset }: EventLinksProps) {
  const entity = eventProperty(event, 'entity')
  const isGone = entity !== undefined && entityTypes?.has(entity) === false
  return (
    <p className={classes.ways}>
      <Link to={links.event(event.id)}>
        {activityText.event.withElements({ id: <span className="ds-mono">{shortId(event.id)}</span> })}
      </Link>
      {entity !== undefined &&
        (isGone ? (
          <span className="ds-dimmed">{activityText.deletedEntity({ id: shortId(entity) })}</span>
        ) : (
          <Link to={links.entity(userId, entity)}>{activityText.openEntity}</Link>
        ))}
      <Timestamp value={event.eventtime} mode="minute" />
      {isGone && changeset?.op === 'remove' && (
        <RestoreButton
          deleted={{ userId, entityId: entity, changesetId: changeset.id }}
          type={changeset.entityType ?? undefined}
          isSensitive={changeset.changes.some(isSensitive)}
        />
      )}
    </p>
  )
}

/** Number of changes shown in the row; the expanded row shows all of them. */
const fewChanges = 3

/** Renders old → new values of a few properties. Additions and removals have no pair of values. */
function ShortChanges({ changeset }: { readonly changeset: Changeset }) {
  const { changes, op } = changeset
  if (op === 'add' || op === 'remove') return null
  const shown = fewOf(changes, fewChanges)
  return (
    <div className={classes.short}>
      {shown.map((change) => (
        <p key={change.key} data-sensitive={isSensitive(change) || undefined}>
          <span className={classes.key}>{changeLabel(changeset, change.key)}</span>{' '}
          <OldAndNew changeset={changeset} change={change} />
        </p>
      ))}
      {changes.length > shown.length && (
        <p>{activityText.moreChanges({ count: changes.length - shown.length })}</p>
      )}
    </div>
  )
}

function OldAndNew({ changeset, change }: Pick<ChangedValueProps, 'changeset' | 'change'>) {
  const { op, masked } = change
  if (isSensitive(change) && masked === true)
    return op === 'change' ? (
      <>
        <HiddenBar /> <span aria-hidden>→</span> <HiddenBar />
      </>
    ) : (
      <>
        <HiddenBar /> {op === 'remove' && <>→ {changeText.removed}</>}
      </>
    )
  return (
    <>
      {op !== 'add' && (
        <s className={classes.old}>
          <ChangedValue changeset={changeset} change={change} side="before" />
        </s>
      )}{' '}
      <span aria-hidden>→</span>{' '}
      {op === 'remove' ? (
        changeText.removed
      ) : (
        <ChangedValue changeset={changeset} change={change} side="after" />
      )}
    </>
  )
}
