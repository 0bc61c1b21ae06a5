import { Button, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { Changeset, Event } from '#contract/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { ChangedValue, ReadChanges } from '../../domain/changes/Changes.tsx'
import { changeLabel } from '../../domain/changes/labels.ts'
import { eventLine, eventProperty, isRead, laterOnesOf } from '../../domain/changes/what-happened.ts'
import { QueryPart } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { changesetQuery, isSensitive } from '../../domain/queries/changesets.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { RestoreButton } from '../../domain/restoring/RestoreButton.tsx'
import { UndoButton } from '../../domain/restoring/UndoButton.tsx'
import { Mask } from '../../domain/values/Mask.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { activityText, changeText, userPageText } from '../../messages/index.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { takeFew, showMore } from '../../ui/show-more.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { dayOf, instantMs } from '../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { useCameNear } from '../../ui/use-came-near.ts'
import { type ActivityKind, activityKind, type Burst, burstsOf } from './bursts.ts'
import { areChangesRead, changesetOf, eagerRows, readChanges } from './first-changes.ts'
import { activityQuery } from './queries.ts'
import classes from './ActivityList.module.css'

/** Column with the latest events about a user. */
export function Timeline({ userId }: { readonly userId: string }) {
  const query = useQuery(activityQuery(userId))
  return (
    <section aria-label={userPageText.side.timeline}>
      <QueryPart query={query} title={userPageText.failed.activity} skeleton={<SkeletonRows rows={12} />}>
        {(events) => <ActivityList userId={userId} events={events} />}
      </QueryPart>
    </section>
  )
}

interface ActivityListProps {
  readonly userId: string
  readonly events: readonly Event[]
}

/**
 * Timeline of a user, day by day. Similar consecutive events are collapsed into a burst (see bursts.ts). Rows appear with
 * what they changed, so that none grows later and moves those below it.
 */
export function ActivityList(props: ActivityListProps) {
  const { userId, events } = props
  const client = useQueryClient()
  const [isReady, setReady] = useState(() => areChangesRead(client, userId, events))
  const read = useEffectEvent(() => readChanges(client, userId, events))
  useEffect(() => void read().then(() => setReady(true)), [])
  return isReady ? <TimelineRows {...props} /> : <SkeletonRows rows={12} />
}

function TimelineRows({ userId, events }: ActivityListProps) {
  const client = useQueryClient()
  // Entities provide names for the changed objects. If they cannot be read, the descriptions are shorter.
  const { data: entities } = useQuery(entitiesQuery(userId))
  const entityTypes = entities && new Map(entities.map(({ id, type }) => [id as string, type]))
  const { shown: zone, service } = use(ZonesContext)
  const [kind, setKind] = useState<ActivityKind | 'all'>('all')
  const bursts = burstsOf(kind === 'all' ? events : events.filter((event) => activityKind(event) === kind))
  const later = laterOnesOf(events.toReversed())
  const list = useRef<HTMLOListElement>(null)
  // Expanded bursts are tracked by their event ids, so that a burst stays expanded when more of its events load.
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const unfold = async (burst: Burst) => {
    await readChanges(client, userId, burst)
    showMore(list.current, () => setUnfolded((before) => new Set([...before, ...burst.map(({ id }) => id)])))
  }
  const days = bursts.map(([{ eventtime }]) => dayOf(instantMs(eventtime, service), zone))
  // A filter by kind is pointless when all events are of one kind.
  const isMixed = new Set(events.map(activityKind)).size > 1
  return (
    <div className={classes.root}>
      {isMixed && (
        <SegmentedControl
          size="xs"
          aria-label={activityText.kind}
          data={(['all', 'change', 'read'] as const).map((value) => ({
            value,
            label: activityText.kinds[value],
          }))}
          value={kind}
          onChange={setKind}
        />
      )}
      <ol ref={list} aria-label={activityText.title} className={classes.list}>
        {bursts.flatMap((burst, index) => {
          const isWhole = burst.some(({ id }) => unfolded.has(id))
          const folded = isWhole ? 0 : burst.length - 1
          return burst
            .slice(0, burst.length - folded)
            .map((event, place) => (
              <ActivityRow
                key={event.id}
                event={event}
                day={place > 0 || days[index] === days[index - 1] ? undefined : days[index]}
                more={folded > 0 ? { count: folded, onShow: () => void unfold(burst) } : undefined}
                isLater={later.has(event.id)}
                userId={userId}
                entityTypes={entityTypes}
                eager={index < eagerRows}
              />
            ))
        })}
      </ol>
    </div>
  )
}

interface ActivityRowProps {
  readonly event: Event
  readonly userId: string
  /** Type of each of the user's existing entities, by entity id; undefined while unknown. */
  readonly entityTypes: ReadonlyMap<string, string> | undefined
  readonly eager: boolean
  /** Whether the list has an earlier change of the same entity. */
  readonly isLater: boolean
  /** Heading of the day, above the first row of each day. */
  readonly day?: string | undefined
  /** Earlier events of the same burst that are still collapsed. */
  readonly more?: { readonly count: number; readonly onShow: () => void } | undefined
}

/** One event: time, subject, actor. Expanded, it shows the changes and a link to the subject. */
function ActivityRow(props: ActivityRowProps) {
  const { event, userId, entityTypes, eager, isLater, day, more } = props
  const [open, setOpen] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const near = useCameNear(row, eager)
  const detailsId = useId()
  const changesetId = changesetOf(event)
  const asks = changesetId !== undefined
  const changes = useQuery({ ...changesetQuery(userId, changesetId ?? ''), enabled: asks && (near || open) })
  const { what, actor, reason } = eventLine(event, {
    changeset: changes.data,
    entityTypes,
    isRestored: isLater,
  })

  return (
    <li ref={row} className={classes.row}>
      {day !== undefined && (
        <Text size="xs" fw={600} c="dimmed" p="12px 8px 4px">
          {day}
        </Text>
      )}
      <div className={classes.head}>
        <UnstyledButton
          className={classes.toggle ?? ''}
          fz="sm"
          aria-expanded={open}
          aria-controls={detailsId}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={14} className={classes.chevron} aria-hidden />
          {/* A read changes nothing and has the colour of sensitive values. */}
          <Text
            span
            inherit
            fw={500}
            miw={0}
            c={isRead(event) ? 'var(--ds-sensitive)' : 'var(--mantine-color-text)'}
          >
            {what}
            {(isRead(event) || changes.data?.changes.some(isSensitive) === true) && (
              <>
                {'\u00a0'}
                <SensitiveMark />
              </>
            )}
          </Text>
        </UnstyledButton>
        <span className={classes.who}>
          {actor !== undefined && <Actor subject={actor} />} <Timestamp value={event.eventtime} mode="time" />
          <UndoButton event={event} changeset={changes.data} change={what} />
        </span>
      </div>
      {reason !== undefined && (
        <Text inherit c="dimmed" p={below}>
          {activityText.reason({ reason })}
        </Text>
      )}
      {changes.data && !open && <ShortChanges changeset={changes.data} />}
      {more && (
        <Button variant="subtle" size="compact-xs" ms={20} mb={8} onClick={more.onShow}>
          {activityText.similar({ count: more.count })}
        </Button>
      )}
      <div id={detailsId} hidden={!open}>
        {open && (
          <Stack gap={8} p={below}>
            {asks && <ReadChanges query={changes} />}
            <EventLinks event={event} userId={userId} entityTypes={entityTypes} changeset={changes.data} />
          </Stack>
        )}
      </div>
    </li>
  )
}

/** Padding of the parts below the line of an event; aligns them with its text. */
const below = '0 8px 8px 26px'

function Actor({ subject }: { readonly subject: string }) {
  const you = usePerson().subject === subject
  return (
    <Text span inherit maw={200} truncate="end">
      {you ? activityText.byYou : activityText.by({ actor: subject })}
    </Text>
  )
}

interface EventLinksProps extends Pick<ActivityRowProps, 'event' | 'userId' | 'entityTypes'> {
  readonly changeset: Changeset | undefined
}

function EventLinks({ event, userId, entityTypes, changeset }: EventLinksProps) {
  const entity = eventProperty(event, 'entity')
  const isGone = entity !== undefined && entityTypes?.has(entity) === false
  return (
    <Group gap="4px 16px" lh="24px" c="dimmed">
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
    </Group>
  )
}

const fewChanges = 3

/** Renders old → new values of a few properties; nothing if the whole entity was added or removed. */
function ShortChanges({ changeset }: { readonly changeset: Changeset }) {
  const { changes, op } = changeset
  if (op === 'add' || op === 'remove') return null
  const shown = takeFew(changes, fewChanges)
  return (
    <Stack gap={2} p={below} style={{ overflowWrap: 'anywhere' }}>
      {shown.map((change) => (
        <p key={change.key} data-sensitive={isSensitive(change) || undefined}>
          <span className="ds-dimmed">{changeLabel(changeset, change.key)}</span>{' '}
          <OldAndNew changeset={changeset} change={change} />
        </p>
      ))}
      {changes.length > shown.length && (
        <p>{activityText.moreChanges({ count: changes.length - shown.length })}</p>
      )}
    </Stack>
  )
}

interface ShownChange {
  readonly changeset: Changeset
  readonly change: Changeset['changes'][number]
}

function OldAndNew({ changeset, change }: ShownChange) {
  const { op, masked } = change
  if (isSensitive(change) && masked === true)
    return op === 'change' ? (
      <>
        <Mask /> <span aria-hidden>→</span> <Mask />
      </>
    ) : (
      <>
        <Mask /> {op === 'remove' && <>→ {changeText.removed}</>}
      </>
    )
  return (
    <>
      {op !== 'add' && (
        <s className="ds-dimmed">
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
