import { users as text } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar } from '../../ui/SkeletonRows.tsx'
import { columns } from './columns.tsx'
import classes from './UsersPage.module.css'

/** The list of users before its code and its first page have come. */
export function UsersSkeleton() {
  return (
    <>
      <PageHeader title={text.title} />
      <div className={classes.toolbar}>
        <SkeletonBar width="280px" height="var(--ds-control-height)" />
        <SkeletonBar width="300px" height="var(--ds-control-height)" />
      </div>
      <DataTable
        label={text.table}
        columns={columns}
        rows={undefined}
        rowKey={(user) => user.id}
        empty={null}
        skeletonRows={20}
      />
    </>
  )
}
