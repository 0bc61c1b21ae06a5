import { Button, Group, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { JobEntry } from '#contract/index.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { jobsText } from '../../messages/index.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { reportQuery } from './queries.ts'
import { SegmentLink } from './SegmentLink.tsx'
import type { JobProps, JobView } from './view.ts'

const deleteText = jobsText.delete

/** View of a job that deletes users. */
export const deleteView: JobView = {
  text: {
    ...jobsText.other,
    working: deleteText.working,
    changeStopped: deleteText.stopped,
    changeStoppedBody: deleteText.stoppedBody,
    failed: deleteText.failed,
    failedBody: deleteText.failedBody,
    theirs: { check: deleteText.theirs, other: deleteText.theirs },
  },
  nameOutcome: (_job, outcome) => (deleteText.outcomes as Readonly<Record<string, string>>)[outcome],
  Facts: DeletionFacts,
  Report: Refused,
}

function DeletionFacts({ job: { reference, segment } }: JobProps) {
  return (
    <>
      <Fact name={deleteText.users}>{typeof segment === 'string' && <SegmentLink segment={segment} />}</Fact>
      <Fact name={deleteText.reference}>
        {reference !== undefined && <span dir="auto">{reference}</span>}
      </Fact>
    </>
  )
}

const columns: readonly Column<JobEntry>[] = [
  {
    id: 'user',
    header: deleteText.user,
    width: '40%',
    cell: ({ user, name }) => (
      <Link to={links.user(user)} dir="auto">
        {name ?? user.slice(-8)}
      </Link>
    ),
  },
  {
    id: 'why',
    header: deleteText.why,
    cell: ({ code, detail }) => (code === 'insufficient_scope' ? deleteText.forbidden : detail),
  },
]

/** Table of the users whose deletion was refused, each with the reason; empty if there are none. */
function Refused({ job }: JobProps) {
  const isAny = (job.outcomes?.['refused'] ?? 0) > 0
  const query = useInfiniteQuery({ ...reportQuery(job, { outcome: 'refused' }), enabled: isAny })
  if (!isAny) return null
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query
  if (error && !data) return <QueryFailure title={jobsText.failures.report} query={query} />
  return (
    <Stack gap="md">
      <DataTable
        label={deleteText.refused}
        columns={columns}
        rows={data?.pages.flatMap(({ users }) => users)}
        rowKey={({ user }) => user}
        skeletonRows={4}
        empty={null}
      />
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            {deleteText.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
