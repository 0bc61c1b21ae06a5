import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import type { Job, Outcome } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { isOpen, jobsKey, jobsPollMs, jobsQuery } from '../../domain/queries/jobs.ts'
import { forgetUsers } from '../../domain/queries/users.ts'

const pollMs = 600

const reportsKey = (id: string) => [...jobsKey, 'report', id] as const

/** Read again and again while the service is at it. */
export function jobQuery(id: string) {
  const queryKey = [...jobsKey, 'one', id]
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const before = client.getQueryData<Job>(queryKey)
      const job = await api.getJob({ params: { job_id: id }, signal })
      if (!job.dryRun) forgetUsers(client)
      // What was read while it ran is not all of it.
      if (before && isOpen(before) && !isOpen(job))
        for (const stale of [reportsKey(id), jobsQuery().queryKey])
          void client.invalidateQueries({ queryKey: stale })
      return job
    },
    refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data) && pollMs,
  })
}

/** What became of the users, page by page; with an outcome, of those. */
export function reportQuery(job: Job, outcome: Outcome | undefined) {
  return infiniteQueryOptions({
    queryKey: [...reportsKey(job.id), job.dryRun, outcome ?? ''],
    queryFn: ({ pageParam: offset, signal }) =>
      api.getJobReport({ params: { job_id: job.id }, query: { offset, outcome }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === '' || next === null ? undefined : next),
    staleTime: Infinity,
    gcTime: 60_000,
    refetchInterval: isOpen(job) && jobsPollMs,
  })
}
