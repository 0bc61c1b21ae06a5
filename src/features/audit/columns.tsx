import { Text } from '@mantine/core'
import { IconEye, IconPencil, IconSearch, IconZoomCheck } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'

import type { AuditRow, LookedUpUser, User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { Why } from '../../domain/changes/Why.tsx'
import { links } from '../../domain/links.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { auditText, sharedText } from '../../messages/index.ts'
import { type Column, rowLink } from '../../ui/DataTable.tsx'
import { hint } from '../../ui/Hint.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './AuditPage.module.css'
import { askedIn, filterOf } from './filter.ts'
import { places } from './places.ts'

export interface Row extends AuditRow {
  /** User of the row; undefined if deleted, still loading, or hidden from the caller. */
  readonly person: LookedUpUser | User | undefined
}

interface CellProps {
  readonly row: Row
}

function Person({ row }: CellProps) {
  const { user } = row
  if (user != null) return <OneUser user={user} row={row} />
  // Events about operands and sizes of segments name no user.
  return row.by === 'segment' ? sharedText.none : auditText.users(row.users ?? 0)
}

function OneUser({ user, row: { person, keys } }: CellProps & { readonly user: string }) {
  const denied = useDenied('users:read')
  const name = person && nameOf(person)
  const shown = name ?? <span className="ds-mono">{shortId(user)}</span>
  if (keys?.length === 0)
    return (
      <span {...hint(`${auditText.gone}\n${user}`)}>
        {auditText.deleted} <span className="ds-mono ds-dimmed">{shortId(user)}</span>
      </span>
    )
  return denied === undefined ? (
    <Text
      component={Link}
      to={links.user(user)}
      {...rowLink}
      inherit
      truncate="end"
      dir="auto"
      {...hint(user)}
    >
      {shown}
    </Text>
  ) : (
    <span {...hint(user)}>{shown}</span>
  )
}

function When({ row: { id, time } }: CellProps) {
  const denied = useDenied('events:read')
  return denied === undefined ? (
    <Link to={links.event(id)} className={classes.quiet ?? ''}>
      <Timestamp value={time} mode="minute" />
    </Link>
  ) : (
    <Timestamp value={time} mode="minute" />
  )
}

const icons = { read: IconEye, check: IconZoomCheck, change: IconPencil, search: IconSearch }

/** A search is a reading by which values are tested and not shown. */
function Kind({ row }: CellProps) {
  const kind = row.by == null ? row.kind : 'search'
  const Icon = icons[kind as keyof typeof icons] ?? IconEye
  return (
    <span className={classes.kind}>
      <Icon size={15} stroke={1.75} aria-hidden />
      {auditText.kinds[kind] ?? kind}
    </span>
  )
}

function Keys({ row: { keys } }: CellProps) {
  if (keys === undefined)
    return (
      <span className="ds-dimmed" {...hint(auditText.keysDenied)}>
        {sharedText.none}
      </span>
    )
  if (keys.length === 0) return <span className="ds-dimmed">{sharedText.none}</span>
  return (
    <span className={classes.keys}>
      <SensitiveMark />
      <span {...hint(keys.join('\n'))}>{keys.map(keyLabel).join(', ')}</span>
    </span>
  )
}

function Searched({ by, segment }: { readonly by: string; readonly segment: AuditRow['segment'] }) {
  const words = auditText.by[by] ?? by
  if (segment == null) return <span className="ds-dimmed">{words}</span>
  return (
    <Link to={links.segment(segment)} className={classes.quiet ?? ''}>
      {words}
    </Link>
  )
}

/** Leads to what else this actor did, among what is shown. */
export function ActorLink({ actor }: { readonly actor: string }) {
  const [address] = useSearchParams()
  const filter = filterOf(askedIn(address))
  return (
    <Text
      component={Link}
      to={links.audit({ ...filter, actor })}
      inherit
      truncate="end"
      className={classes.quiet ?? ''}
      aria-label={auditText.narrow(actor)}
      {...hint(actor)}
    >
      {actor}
    </Text>
  )
}

export const columns: readonly Column<Row>[] = [
  { ...places.user, header: auditText.columns.user, cell: (row) => <Person row={row} /> },
  { ...places.time, header: auditText.columns.time, cell: (row) => <When row={row} /> },
  { ...places.kind, header: auditText.columns.kind, cell: (row) => <Kind row={row} /> },
  { ...places.keys, header: auditText.columns.keys, cell: (row) => <Keys row={row} /> },
  { ...places.actor, header: auditText.columns.actor, cell: ({ actor }) => <ActorLink actor={actor} /> },
  {
    ...places.why,
    header: auditText.columns.why,
    cell: ({ reason, by, segment }) =>
      reason !== undefined ? <Why reason={reason} /> : by != null && <Searched by={by} segment={segment} />,
  },
]
