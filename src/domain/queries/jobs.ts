import { queryOptions } from '@tanstack/react-query'

import type { Job } from '#contract/index.ts'
import { api } from '../../api/index.ts'

export const jobsKey = ['jobs'] as const
/** Polling interval of lists of jobs, and of all open pages of a report, in milliseconds. */
export const jobsPollMs = 2000

/** The service is at it, or is to be. */
export const isOpen = ({ state }: Job) => state === 'waiting' || state === 'running'

export function jobsQuery() {
  return queryOptions({
    queryKey: [...jobsKey, 'list'],
    queryFn: ({ signal }) => api.listJobs({ signal }),
    refetchInterval: ({ state: { data } }) => data?.some(isOpen) === true && jobsPollMs,
  })
}
