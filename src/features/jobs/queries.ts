import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'

import type { Job, Outcome, UndoOutcome } from '#contract/index.ts'
import {
  api,
  fileUnder,
  forgetUsers,
  invalidate,
  type keyedWrites,
  peek,
  q,
  refresh,
} from '../../api/index.ts'
import { jobOrigins } from '../../domain/jobs/origin.ts'
import { isOpen, jobsPollMs } from '../../domain/queries/jobs.ts'

const jobPollMs = 600

export function jobQuery(id: string) {
  const query = q('getJob', { params: { job_id: id } })
  return queryOptions({
    ...query,
    queryFn: async ({ client, signal }) => {
      const before = peek(client, query)
      const job = await api.getJob({ params: { job_id: id }, signal })
      if (!job.dryRun) forgetUsers(client)
      // A report fetched while the job ran is incomplete, so refetch it once the job ends.
      if (before && isOpen(before) && !isOpen(job)) void invalidate(client, 'listJobs', 'getJobReport')
      return job
    },
    refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data) && jobPollMs,
  })
}

/** Results that the report is narrowed down to. */
export interface ReportFilter {
  readonly outcome?: Outcome
  readonly undone?: UndoOutcome
}

export function reportQuery(job: Job, filter: ReportFilter) {
  return infiniteQueryOptions({
    ...fileUnder('getJobReport', { params: { job_id: job.id }, query: { ...filter }, isDryRun: job.dryRun }),
    queryFn: ({ pageParam: offset, signal }) =>
      api.getJobReport({ params: { job_id: job.id }, query: { offset, ...filter }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === '' || next === null ? undefined : next),
    staleTime: Infinity,
    gcTime: 60_000,
    refetchInterval: isOpen(job) && jobsPollMs,
  })
}

/** Stops or resumes a job, or applies the result of its dry run. Every action is safe to send twice. */
export function controlJob(id: string) {
  return mutationOptions({
    mutationFn: (action: 'stop' | 'resume' | 'apply') =>
      ({ stop: api.stopJob, resume: api.resumeJob, apply: api.applyJob })[action]({ params: { job_id: id } }),
    onSuccess: (_nothing, action, _result, { client }) => {
      if (action === 'apply') jobOrigins.delete(client)
    },
    onSettled: (_nothing, _error, _how, _result, { client }) =>
      refresh(client, 'listJobs', 'getJob', 'getJobReport'),
  })
}

/** Undoes a job, with the reason for that. Repeating a request whose answer was lost is safe. */
export function undoJob(id: string, write: ReturnType<typeof keyedWrites>, reason: string | undefined) {
  return mutationOptions({
    mutationFn: () =>
      write([id, reason], (keyed) => api.undoJob({ params: { job_id: id }, reason, ...keyed })),
    onSettled: (_nothing, _error, _void, _result, { client }) =>
      refresh(client, 'listJobs', 'getJob', 'getJobReport'),
  })
}
