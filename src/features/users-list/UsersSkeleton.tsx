import { Group } from '@mantine/core'

import { userText } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import { columnsOf } from './columns.tsx'
import { readListPreferences } from './list-preferences.ts'
import classes from './UsersPage.module.css'

export function UsersSkeleton() {
  const { columns, properties, density } = readListPreferences()
  return (
    <>
      <PageHeader title={userText.title} />
      <Group gap="xs" pb={12}>
        <SkeletonBar width="280px" height="var(--ds-control-height)" />
        <SkeletonBar width="320px" height="var(--ds-control-height)" />
      </Group>
      <div className={classes.table} data-density={density}>
        <DataTable
          label={userText.table}
          columns={columnsOf(columns, properties, undefined)}
          rows={undefined}
          rowKey={(user) => user.id}
          empty={null}
          skeletonRows={20}
        />
      </div>
    </>
  )
}
