import { queryOptions } from '@tanstack/react-query'

import type { Job } from '#contract/index.ts'
import { q } from '../../api/index.ts'

/** Polling interval, in milliseconds, of a list with open jobs, and of the report of an open job. */
export const jobsPollMs = 2000

/** Whether the job is waiting, running or being undone. */
export const isOpen = ({ state }: Job) => ['waiting', 'running', 'undoing'].includes(state)

export function jobsQuery() {
  return queryOptions({
    ...q('listJobs'),
    refetchInterval: ({ state: { data } }) => data?.some(isOpen) === true && jobsPollMs,
  })
}
