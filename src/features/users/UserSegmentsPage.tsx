import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { IconChartPie } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { Link, useParams } from 'react-router'

import type { Membership, Segment } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { links } from '../../app/links.ts'
import { user } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { segmentsQuery } from '../segments/queries.ts'
import { SegmentCheck, useSegmentChecks } from './SegmentCheck.tsx'
import { userSegmentsQuery } from './user-queries.ts'
import classes from './UserSegmentsPage.module.css'

const text = user.segments

/** The segments that a user is in, and those that they are not in. */
export function UserSegmentsPage() {
  const { userId = '' } = useParams()
  const { data: segments } = useSuspenseQuery(segmentsQuery())
  if (segments.length === 0)
    return (
      <EmptyState
        icon={<IconChartPie size={28} stroke={1.5} />}
        title={text.none.title}
        action={
          <Button variant="default" component={Link} to={links.segments()}>
            {text.none.action}
          </Button>
        }
      >
        {text.none.body}
      </EmptyState>
    )
  return offers('users.segments') ? (
    <Told userId={userId} segments={segments} />
  ) : (
    <Checked key={userId} userId={userId} segments={segments} />
  )
}

interface ListedProps {
  readonly userId: string
  readonly segments: readonly Segment[]
}

/** The service says it. */
function Told({ userId, segments }: ListedProps) {
  const { data: memberships } = useSuspenseQuery(userSegmentsQuery(userId))
  const known = new Map(segments.map((segment) => [segment.id, segment]))
  const rows = (member: Membership['member']) =>
    memberships
      .filter((membership) => membership.member === member)
      .map(({ id, name }) => ({ id, name, description: known.get(id)?.description }))
  const unknown = rows(null)
  return (
    <>
      <Group title={text.in} rows={rows(true)} empty={text.inNone} />
      <Group title={text.notIn} rows={rows(false)} />
      <Group title={text.unknown} rows={unknown} note={text.unknownBody} />
    </>
  )
}

type Row = Pick<Segment, 'id' | 'name'> & { readonly description?: string | null | undefined }

interface GroupProps {
  readonly title: string
  readonly rows: readonly Row[]
  readonly note?: string
  /** In the place of no rows; without it there is no group then. */
  readonly empty?: string
}

function Group({ title, rows, note, empty }: GroupProps) {
  const titleId = useId()
  if (rows.length === 0 && empty === undefined) return null
  return (
    <section aria-labelledby={titleId} className={classes.group}>
      <h2 id={titleId} className={classes.title}>
        {title} <span className={classes.count}>{rows.length}</span>
      </h2>
      {note !== undefined && <p className={classes.note}>{note}</p>}
      {rows.length === 0 ? (
        <p className="ds-dimmed">{empty}</p>
      ) : (
        <ul aria-label={text.list(title)} className={classes.list}>
          {rows.map((row) => (
            <SegmentRow key={row.id} row={row} />
          ))}
        </ul>
      )}
    </section>
  )
}

function SegmentRow({ row, children }: { readonly row: Row; readonly children?: ReactNode }) {
  const { id, description } = row
  return (
    <li className={classes.row}>
      <span className={classes.about}>
        <Link to={links.segment(id)} className={classes.name ?? ''}>
          {segmentName(row)}
        </Link>
        {description !== null && description !== undefined && description !== '' && (
          <span className={classes.description}>{description}</span>
        )}
      </span>
      {children}
    </li>
  )
}

function segmentName({ id, name }: Pick<Segment, 'id' | 'name'>): string {
  return name === null || name === undefined || name.trim() === '' ? text.nameless(id) : name
}

/** The service can't tell: a segment's users are gone through, for one segment after the other, when it is asked for. */
function Checked({ userId, segments }: ListedProps) {
  const checks = useSegmentChecks(userId)
  return (
    <>
      <h2 className="ds-visually-hidden">{user.tabs.segments}</h2>
      <p className={classes.note}>{text.bare}</p>
      <ul aria-label={user.tabs.segments} className={classes.list}>
        {segments.map((segment) => (
          <SegmentRow key={segment.id} row={segment}>
            <SegmentCheck
              name={segmentName(segment)}
              state={checks.of(segment.id)}
              onRun={() => checks.run(segment.id)}
              onStop={() => checks.stop(segment.id)}
            />
          </SegmentRow>
        ))}
      </ul>
    </>
  )
}
