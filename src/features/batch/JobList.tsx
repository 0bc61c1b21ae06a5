import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { Job } from '#contract/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { links } from '../../domain/links.ts'
import { jobsQuery } from '../../domain/queries/jobs.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { batchText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'

const jobsText = batchText.jobs

/** List of this person's jobs, or of everyone's for an administrator, each with a link to its page. */
export function JobList() {
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
    cell: ({ id, set }) => (
      <Link to={links.batchJob(id)} {...rowLink}>
        {batchText.job.what({ property: keyLabel(set.key), entity: set.entity })}
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
