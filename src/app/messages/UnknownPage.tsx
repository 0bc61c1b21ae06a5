import { shellText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { WayOut } from './WayOut.tsx'

export function UnknownPage() {
  const { unknownPageTitle, unknownPageBody } = shellText.failure
  return (
    <>
      <PageHeader title={unknownPageTitle} />
      <EmptyState title={unknownPageBody} action={<WayOut />} underHeading />
    </>
  )
}
