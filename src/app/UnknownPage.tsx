import { Link } from 'react-router'

import { shellText } from '../messages/index.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { links } from '../domain/links.ts'

export function UnknownPage() {
  const { unknownPageTitle, unknownPageBody, home } = shellText.failure
  return (
    <>
      <PageHeader title={unknownPageTitle} />
      <EmptyState title={unknownPageBody} action={<Link to={links.users()}>{home}</Link>} />
    </>
  )
}
