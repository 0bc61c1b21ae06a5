import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'

import type { User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { columnsQuery } from '../../domain/queries/users.ts'
import { userListText } from '../../messages/index.ts'
import { DataTable, type DataTableProps } from '../../ui/DataTable.tsx'
import { columnsOf } from './columns.tsx'
import { type ColumnName, type ListPreferences, propertiesOf } from './list-preferences.ts'
import { ColumnValuesContext, propertyColumns } from './properties/property-columns.tsx'
import classes from './UsersPage.module.css'

export interface UserRowsProps extends Pick<
  DataTableProps<User>,
  'describedBy' | 'label' | 'order' | 'pending'
> {
  readonly rows: readonly User[]
  readonly preferences: ListPreferences
  /** Shown whether chosen or not. */
  readonly alsoColumn?: ColumnName | undefined
}

const { unread } = userListText.columns
const none: readonly string[] = []

/** The users in their columns. Those of properties are filled once the rows are there, which never wait for them. */
export function UserRows({ rows, preferences, alsoColumn, ...table }: UserRowsProps) {
  const denied = useDenied('entities:read')
  const names = denied === undefined ? propertiesOf(preferences) : none
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { data, error, refetch, isFetching } = useQuery(columnsQuery(ids, names))
  const isUnread = error !== null && !data
  const columns = useMemo(() => {
    const own = alsoColumn ? [...preferences.columns, alsoColumn] : preferences.columns
    return columnsOf(own, propertyColumns(names, data))
  }, [preferences.columns, alsoColumn, names, data])
  const shown = <DataTable {...table} columns={columns} rows={rows} rowKey={(user) => user.id} empty={null} />
  if (names.length === 0) return shown
  return (
    <ColumnValuesContext value={isUnread ? null : data}>
      {isUnread && (
        <InlineFailure
          title={unread.title}
          error={error}
          own={{ kept: unread.kept }}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      <div
        className={classes.wide}
        data-many={names.length > fewColumns || undefined}
        style={{ '--least-width': `${othersPx + names.length * columnPx}px` } as CSSProperties}
      >
        {shown}
      </div>
    </ColumnValuesContext>
  )
}

/** Number of property columns that fit on a wide screen; with more, the table scrolls sideways. */
const fewColumns = 4
const columnPx = 112
const othersPx = 520
