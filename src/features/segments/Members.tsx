import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { User } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segmentPreviewText, segmentDetailText } from '../../messages/index.ts'
import { WithAvatar } from '../../ui/Avatar.tsx'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { usersQuery } from '../../domain/queries/users.ts'

export function Members({ segmentId }: { readonly segmentId: string }) {
  const denied = useDenied('users:read')
  const query = useQuery({ ...usersQuery({ segment: segmentId }), enabled: denied === undefined })
  const { data, error, dataUpdatedAt } = query
  if (denied !== undefined) return <p className="ds-dimmed">{denied}</p>
  if (error && !data) return <QueryFailure title={segmentDetailText.membersFailed} query={query} />
  const { users, total, counted, atLeast, next } = data ?? {}
  const hasMore = next !== undefined && next !== null && next !== ''
  return (
    <>
      {/* Reserve one line from the start, so that the table does not move. */}
      <Text mih="1.5em" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {typeof total === 'number' &&
          segmentDetailText.counted.withElements({
            users: segmentPreviewText.users({ count: total, bound: atLeast === true ? 'least' : 'exact' }),
            time: <Timestamp value={counted ?? new Date(dataUpdatedAt).toISOString()} />,
          })}
        {users && hasMore && (
          <>
            {typeof total === 'number' && ' · '}
            {segmentDetailText.first({ shown: users.length })}
          </>
        )}
      </Text>
      <DataTable
        label={segmentDetailText.membersTable}
        columns={memberColumns}
        rows={users}
        rowKey={({ id }) => id}
        skeletonRows={5}
        empty={<p className="ds-dimmed">{segmentDetailText.noMembers}</p>}
      />
    </>
  )
}

const memberColumns: readonly Column<User>[] = [
  {
    id: 'name',
    header: segmentDetailText.memberColumns.name,
    width: '30%',
    cell: (user) => (
      <WithAvatar id={user.id} name={nameOf(user)}>
        <Link to={links.user(user.id)} dir="auto" {...rowLink}>
          {nameOf(user) ?? <span className="ds-dimmed">{segmentDetailText.noName}</span>}
        </Link>
      </WithAvatar>
    ),
  },
  { id: 'email', header: segmentDetailText.memberColumns.email, width: '30%', cell: emailOf },
  { id: 'ref', header: segmentDetailText.memberColumns.ref, cell: ({ ref }) => ref },
  {
    id: 'since',
    header: segmentDetailText.memberColumns.since,
    width: '96px',
    narrow: 'labelled',
    cell: ({ since }) => <Timestamp value={since} />,
  },
]
