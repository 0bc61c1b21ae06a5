import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { importsText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ColumnsForm } from './ColumnsForm.tsx'
import { FoundFile } from './FoundFile.tsx'
import { Steps } from './layout.tsx'
import { importQuery } from './queries.ts'

/** Second part of an import, whose file is at the service: its columns. The check that follows is a job. */
export function ImportPage() {
  const { jobId = '' } = useParams()
  const { data: view } = useSuspenseQuery(importQuery(jobId))
  return (
    <>
      <PageHeader above={<BackToList />} title={importsText.title} />
      <Steps at="columns" />
      <FoundFile view={view} />
      <ColumnsForm key={jobId} view={view} />
    </>
  )
}
