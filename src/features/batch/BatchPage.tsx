import { Stack, Title } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import * as z from 'zod'

import type { Job } from '#contract/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { conditionInBrief } from '../../domain/filters/sentence.ts'
import { nameJob } from '../../domain/jobs/job-name.ts'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { links } from '../../domain/links.ts'
import { jobsQuery } from '../../domain/queries/jobs.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { userCountQuery } from '../../domain/queries/users.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { audienceOf, isFromList, type ListCondition, recallList } from '../../domain/user-list/list-state.ts'
import { batchText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { BatchForm } from './BatchForm.tsx'

/** Schema of the history state: ids of the users selected in the list. */
const selectionState = z.object({ ids: z.array(z.string()).min(1) })

export function BatchPage() {
  const [address] = useSearchParams()
  const { state, key } = useLocation()
  const segment = address.get('segment')
  const { data } = selectionState.safeParse(state)
  const client = useQueryClient()
  // The list's state is read only once, so that the batch keeps its target however long this page is open.
  const [listed] = useState(() => {
    const entry = recallList(client, state)
    if (!entry) return undefined
    const target = audienceOf(entry)
    return target && { ...entry, target }
  })
  const chosen = data
    ? { target: { ids: data.ids }, below: batchText.chosen({ count: data.ids.length }) }
    : listed && {
        target: listed.target,
        below: batchText.listed({ conditions: summarize(listed.conditions) }),
      }
  return (
    <Stack gap={40}>
      <div>
        {segment !== null ? (
          <SegmentBatch key={segment} id={segment} />
        ) : listed && 'segment' in listed.target ? (
          <SegmentBatch key={key} id={listed.target.segment} above={<BackToList />} />
        ) : chosen ? (
          <>
            <PageHeader above={<BackToList />} title={batchText.title} below={chosen.below} />
            <BatchForm key={key} target={chosen.target} />
          </>
        ) : (
          <>
            <PageHeader above={<BackToList />} title={batchText.title} />
            <EmptyState
              icon={<IconUsers size={32} stroke={1.25} />}
              title={isFromList(state) ? batchText.listGone : batchText.nobody}
              action={<Link to={links.users()}>{batchText.toList}</Link>}
            >
              {isFromList(state) ? batchText.listGoneBody : batchText.nobodyBody}
            </EmptyState>
          </>
        )}
      </div>
      <JobList />
    </Stack>
  )
}

const summarize = (conditions: readonly ListCondition[]) =>
  conditions.map(({ filter }) => conditionInBrief(filter)).join(', ')

interface SegmentBatchProps {
  readonly id: string
  /** Link back; by default, to the segment. */
  readonly above?: ReactNode
}

function SegmentBatch({ id, above }: SegmentBatchProps) {
  const { data: segment } = useQuery(segmentQuery(id))
  const { data: count } = useQuery(userCountQuery(id))
  const name = segment ? segmentName(segment) : '…'
  return (
    <>
      <PageHeader
        above={above ?? <BackLink to={links.segment(id)}>{name}</BackLink>}
        title={batchText.title}
        below={
          <>
            {batchText.members({ segment: name })}
            {typeof count === 'number' && ` · ${batchText.membersCount({ count })}`}
          </>
        }
      />
      <BatchForm target={{ segment: id }} />
    </>
  )
}

const jobsText = batchText.jobs

/** List of this person's jobs, or of everyone's for an administrator, each with a link to its page. */
function JobList() {
  const { subject } = usePerson()
  const query = useQuery(jobsQuery())
  const { data, error } = query
  return (
    <section aria-label={jobsText.title}>
      <Title order={2} fz="sm" fw={500} c="dimmed" mb="xs">
        {jobsText.title}
      </Title>
      {error && !data ? (
        <QueryFailure title={batchText.failures.jobs} query={query} />
      ) : (
        <DataTable
          label={jobsText.title}
          columns={data?.some(({ actor }) => actor !== subject) === true ? jobColumnsWithActor : jobColumns}
          rows={data}
          rowKey={({ id }) => id}
          skeletonRows={3}
          empty={<p className="ds-dimmed">{jobsText.none}</p>}
        />
      )}
    </section>
  )
}

function StartedBy({ job: { actor } }: { readonly job: Job }) {
  const isMine = usePerson().subject === actor
  return isMine ? <span className="ds-dimmed">{batchText.job.you}</span> : actor
}

const jobColumns: readonly Column<Job>[] = [
  {
    id: 'what',
    header: jobsText.what,
    cell: (job) => (
      <Link to={links.batchJob(job.id)} {...rowLink}>
        {nameJob(job)}
      </Link>
    ),
  },
  { id: 'state', header: jobsText.state, width: '32%', cell: (job) => <JobState job={job} /> },
  {
    id: 'users',
    header: jobsText.users,
    width: '96px',
    align: 'end',
    narrow: 'labelled',
    cell: ({ total }) => number(total),
  },
  {
    id: 'time',
    header: jobsText.time,
    width: '120px',
    narrow: 'labelled',
    cell: ({ created }) => <Timestamp value={created} />,
  },
]

const actorColumn: Column<Job> = {
  id: 'actor',
  header: batchText.job.by,
  width: '16%',
  narrow: 'labelled',
  cell: (job) => <StartedBy job={job} />,
}
const jobColumnsWithActor = jobColumns.toSpliced(-1, 0, actorColumn)
