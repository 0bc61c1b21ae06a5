import { queryOptions } from '@tanstack/react-query'

import type { Job } from '#contract/index.ts'
import { q } from '../../api/index.ts'

/** Polling interval of lists of jobs, and of all open pages of a report, in milliseconds. */
export const jobsPollMs = 2000

/** Whether the service works on the job, or will. */
export const isOpen = ({ state }: Job) => state === 'waiting' || state === 'running'

export function jobsQuery() {
  return queryOptions({
    ...q('listJobs'),
    refetchInterval: ({ state: { data } }) => data?.some(isOpen) === true && jobsPollMs,
  })
}
