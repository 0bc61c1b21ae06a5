import { Text } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { Job } from '#contract/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { nameJob } from '../../domain/jobs/job-name.ts'
import { JobKind } from '../../domain/jobs/JobKind.tsx'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { describeResult } from '../../domain/jobs/result.ts'
import { links } from '../../domain/links.ts'
import { isOpen, jobsQuery } from '../../domain/queries/jobs.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { jobsText } from '../../messages/index.ts'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { jobLayout } from './column-layout.ts'
import shared from '../../domain/work/Report.module.css'

/** List of this person's jobs, or of everyone's for an administrator, newest first. */
export function JobsPage() {
  const { data: jobs } = useSuspenseQuery({ ...jobsQuery(), refetchOnWindowFocus: true })
  return (
    <>
      <PageHeader title={jobsText.title} />
      <DataTable
        label={jobsText.title}
        columns={jobColumns}
        rows={jobs}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconListCheck size={28} stroke={1.5} />}
            title={jobsText.none}
            action={<Link to={links.users()}>{jobsText.toList}</Link>}
          >
            {jobsText.noneBody}
          </EmptyState>
        }
      />
    </>
  )
}

/** Segment that the users of a job are from, which tells exports apart. */
function FromSegment({ segment }: { readonly segment: string }) {
  const { data } = useQuery({ ...segmentQuery(segment), retry: false })
  return (
    <Text size="xs" c="dimmed" dir="auto" lineClamp={2}>
      {data ? jobsText.set.segment({ segment: segmentName(data) }) : jobsText.set.members}
    </Text>
  )
}

function StartedBy({ job: { actor } }: { readonly job: Job }) {
  const isMine = usePerson().subject === actor
  // On a phone only somebody else's name is worth a line.
  return isMine ? (
    <span className="ds-dimmed" data-none>
      {jobsText.you}
    </span>
  ) : (
    actor
  )
}

/** Result of a job; how far it is, as long as it has not ended. */
function Result({ job }: { readonly job: Job }) {
  const { state, done, total } = job
  if (isOpen(job) || state === 'stopped' || state === 'failed')
    return <span className="ds-dimmed">{jobsText.done({ done, total })}</span>
  const result = describeResult(job)
  return result !== undefined && <span className={shared.whole}>{result}</span>
}

const { columns } = jobsText

const jobColumns: readonly Column<Job>[] = [
  {
    ...jobLayout.what,
    header: columns.what,
    cell: (job) => (
      <div className={shared.whole}>
        <Link to={links.job(job.id)} {...rowLink}>
          {nameJob(job)}
        </Link>
        <JobKind job={job} />
        {typeof job.segment === 'string' && <FromSegment segment={job.segment} />}
        {job.reason != null && (
          <Text size="xs" c="dimmed" dir="auto" lineClamp={2}>
            {job.reason}
          </Text>
        )}
      </div>
    ),
  },
  { ...jobLayout.state, header: columns.state, cell: (job) => <JobState job={job} short /> },
  { ...jobLayout.result, header: columns.result, cell: (job) => <Result job={job} /> },
  { ...jobLayout.by, header: columns.by, cell: (job) => <StartedBy job={job} /> },
  {
    ...jobLayout.time,
    header: columns.time,
    cell: ({ created }) => <Timestamp value={created} mode="recent" />,
  },
]
