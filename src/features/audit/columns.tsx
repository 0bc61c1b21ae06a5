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
import { readAuditQuery, toAuditFilter } from './filter.ts'
import { auditPlaces } from './places.ts'

export interface NamedAuditRow extends AuditRow {
  /** User of the row; undefined if deleted, still loading, or hidden from the caller. */
  readonly person: LookedUpUser | User | undefined
}

interface AuditCellProps {
  readonly row: NamedAuditRow
}

function SubjectCell({ row }: AuditCellProps) {
  const { user } = row
  if (user != null) return <UserCell user={user} row={row} />
  // An access to the values that segments compare with, or to segment sizes, names no users: its count is 0.
  return row.by === 'segment' ? sharedText.none : auditText.users({ count: row.users ?? 0 })
}

function UserCell({ user, row: { person, keys } }: AuditCellProps & { readonly user: string }) {
  const denied = useDenied('users:read')
  const name = person && nameOf(person)
  const shown = name ?? <span className="ds-mono">{shortId(user)}</span>
  if (keys?.length === 0)
    return (
      <span {...hint(`${auditText.gone}\n${user}`)}>
        {auditText.deleted.withElements({
          id: <span className="ds-mono ds-dimmed">{shortId(user)}</span>,
        })}
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

function TimeCell({ row: { id, time } }: AuditCellProps) {
  const denied = useDenied('events:read')
  return denied === undefined ? (
    <Link to={links.event(id)}>
      <Timestamp value={time} mode="minute" />
    </Link>
  ) : (
    <Timestamp value={time} mode="minute" />
  )
}

/** Labels by kind. Unknown kinds, as from another service, are shown as they are. */
const kindLabels: Readonly<Record<string, string>> = auditText.kinds
const kindIcons = { read: IconEye, check: IconZoomCheck, change: IconPencil, search: IconSearch }

/** Kind of the access. A search tests values without showing any. */
function KindCell({ row }: AuditCellProps) {
  const kind = row.by == null ? row.kind : 'search'
  const Icon = kindIcons[kind as keyof typeof kindIcons] ?? IconEye
  return (
    <span className={classes.kind}>
      <Icon size={15} stroke={1.75} aria-hidden />
      {kindLabels[kind] ?? kind}
    </span>
  )
}

function KeysCell({ row: { keys } }: AuditCellProps) {
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

/** Labels by kind of request. Unknown ones, as from another service, are shown as they are. */
const searchLabels: Readonly<Record<string, string>> = auditText.by

function SearchLink({ by, segment }: { readonly by: string; readonly segment: AuditRow['segment'] }) {
  const label = searchLabels[by] ?? by
  if (segment == null) return <span className="ds-dimmed">{label}</span>
  return <Link to={links.segment(segment)}>{label}</Link>
}

/** Link to this actor's other accesses within the current filter. */
export function ActorLink({ actor }: { readonly actor: string }) {
  const [address] = useSearchParams()
  const filter = toAuditFilter(readAuditQuery(address))
  return (
    <Text
      component={Link}
      to={links.audit({ ...filter, actor })}
      inherit
      truncate="end"
      aria-label={auditText.narrow({ actor })}
      {...hint(actor)}
    >
      {actor}
    </Text>
  )
}

export const auditColumns: readonly Column<NamedAuditRow>[] = [
  { ...auditPlaces.user, header: auditText.columns.user, cell: (row) => <SubjectCell row={row} /> },
  { ...auditPlaces.time, header: auditText.columns.time, cell: (row) => <TimeCell row={row} /> },
  { ...auditPlaces.kind, header: auditText.columns.kind, cell: (row) => <KindCell row={row} /> },
  { ...auditPlaces.keys, header: auditText.columns.keys, cell: (row) => <KeysCell row={row} /> },
  { ...auditPlaces.actor, header: auditText.columns.actor, cell: ({ actor }) => <ActorLink actor={actor} /> },
  {
    ...auditPlaces.why,
    header: auditText.columns.why,
    cell: ({ reason, by, segment }) =>
      reason !== undefined ? <Why reason={reason} /> : by != null && <SearchLink by={by} segment={segment} />,
  },
]
