import { Text } from '@mantine/core'
import { IconEye, IconPencil, IconSearch, IconZoomCheck } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'

import type { AuditRow, LookedUpUser, User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { Why } from '../../domain/changes/Why.tsx'
import { propertyLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { auditText, sharedText } from '../../messages/index.ts'
import { type Column, rowLink } from '../../ui/DataTable.tsx'
import { hint } from '../../ui/Hint.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { auditLayout } from './column-layout.ts'
import { readAuditQuery, toAuditFilter } from './queries.ts'
import classes from './AuditPage.module.css'

export interface NamedAuditRow extends AuditRow {
  /** User of the row; undefined if deleted, still loading, or hidden from the caller. */
  readonly person: LookedUpUser | User | undefined
}

function SubjectCell({ user, users, by, person, keys }: NamedAuditRow) {
  const denied = useDenied('users:read')
  // An access to the values that segments compare with, or to segment sizes, names no users: its count is 0.
  if (user == null) return by === 'segment' ? sharedText.none : auditText.users({ count: users ?? 0 })
  const name = person && nameOf(person)
  const shown = name ?? <span className="ds-mono">{shortId(user)}</span>
  if (keys?.length === 0)
    return (
      <span {...hint(`${auditText.gone}\n${user}`)}>
        {auditText.deleted.withElements({ id: <span className="ds-mono ds-dimmed">{shortId(user)}</span> })}
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

function TimeCell({ id, time }: NamedAuditRow) {
  const denied = useDenied('events:read')
  const shown = <Timestamp value={time} mode="minute" />
  return denied === undefined ? <Link to={links.event(id)}>{shown}</Link> : shown
}

/** Labels by kind. Unknown kinds, as from another service, are shown as they are. */
const kindLabels: Readonly<Record<string, string>> = auditText.kinds
const kindIcons = { read: IconEye, check: IconZoomCheck, change: IconPencil, search: IconSearch }

/** Kind of the access. A search tests values without showing any. */
function KindCell({ by, ...row }: NamedAuditRow) {
  const kind = by == null ? row.kind : 'search'
  const Icon = kindIcons[kind as keyof typeof kindIcons] ?? IconEye
  return (
    <span className={classes.kind}>
      <Icon size={15} stroke={1.75} aria-hidden />
      {kindLabels[kind] ?? kind}
    </span>
  )
}

function KeysCell({ keys }: NamedAuditRow) {
  if (keys === undefined || keys.length === 0)
    return (
      <span className="ds-dimmed" {...hint(keys ? undefined : auditText.keysDenied)}>
        {sharedText.none}
      </span>
    )
  return (
    <span className={classes.keys}>
      <SensitiveMark />
      <span {...hint(keys.join('\n'))}>{keys.map((key) => propertyLabel(undefined, key)).join(', ')}</span>
    </span>
  )
}

/** Labels by kind of request. Unknown ones, as from another service, are shown as they are. */
const searchLabels: Readonly<Record<string, string>> = auditText.by

/** Reason of an access; for a search, which needs none, the kind of request with its segment. */
function WhyCell({ reason, by, segment }: NamedAuditRow) {
  if (reason !== undefined) return <Why reason={reason} />
  if (by == null) return null
  const label = searchLabels[by] ?? by
  return segment == null ? (
    <span className="ds-dimmed">{label}</span>
  ) : (
    <Link to={links.segment(segment)}>{label}</Link>
  )
}

/** Link to this actor's other accesses within the current filter. */
export function ActorLink({ actor }: { readonly actor: string }) {
  const [address] = useSearchParams()
  const filter = toAuditFilter(readAuditQuery(address))
  return (
    <Link to={links.audit({ ...filter, actor })} aria-label={auditText.narrow({ actor })} {...hint(actor)}>
      {actor}
    </Link>
  )
}

const { columns } = auditText
export const auditColumns: readonly Column<NamedAuditRow>[] = [
  { ...auditLayout.user, header: columns.user, cell: (row) => <SubjectCell {...row} /> },
  { ...auditLayout.time, header: columns.time, cell: (row) => <TimeCell {...row} /> },
  { ...auditLayout.kind, header: columns.kind, cell: (row) => <KindCell {...row} /> },
  { ...auditLayout.keys, header: columns.keys, cell: (row) => <KeysCell {...row} /> },
  { ...auditLayout.actor, header: columns.actor, cell: ({ actor }) => <ActorLink actor={actor} /> },
  { ...auditLayout.why, header: columns.why, cell: (row) => <WhyCell {...row} /> },
]
