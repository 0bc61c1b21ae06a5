import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Location } from 'react-router'

import type { BodyInput, Endpoints, Filter, Job, Outcome } from '#contract/index.ts'
import { api, invalidate, q } from '../../api/index.ts'
import { isOpen, jobsPollMs } from '../../domain/queries/jobs.ts'
import { forgetUsers } from '../../domain/queries/users.ts'
import type { Keyed } from '../../api/keyed-writes.ts'
import type { FormState } from './form-state.ts'

const jobPollMs = 600

const reportsKey = (id: string) => ['getJobReport', id] as const

export function jobQuery(id: string) {
  const { queryKey } = q('getJob', { params: { job_id: id } })
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const before = client.getQueryData(queryKey)
      const job = await api.getJob({ params: { job_id: id }, signal })
      if (!job.dryRun) forgetUsers(client)
      // A report fetched while the job ran is incomplete, so refetch it once the job ends.
      if (before && isOpen(before) && !isOpen(job)) {
        void client.invalidateQueries({ queryKey: reportsKey(id) })
        void invalidate(client, 'listJobs')
      }
      return job
    },
    refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data) && jobPollMs,
  })
}

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

/** Creates a job and returns its id; undefined if the response has no readable address. */
export function createBatch() {
  return mutationOptions({
    mutationFn: ({ body, ...keyed }: Keyed & { readonly body: BodyInput<Endpoints['createBatch']> }) =>
      api.createBatch({ body, ...keyed }),
    onSettled: (_written, _error, _body, _result, { client }) => invalidate(client, 'listJobs'),
  })
}

/** Stops or resumes a job, or applies the result of its dry run. Every action is safe to send twice. */
export function controlJob(id: string) {
  return mutationOptions({
    mutationFn: (action: 'stop' | 'resume' | 'apply') =>
      ({ stop: api.stopJob, resume: api.resumeJob, apply: api.applyJob })[action]({ params: { job_id: id } }),
    onSuccess: (_nothing, action, _result, { client }) => {
      if (action === 'apply') rememberedForms.delete(client)
    },
    onSettled: (_nothing, _error, _how, _result, { client }) =>
      invalidate(client, 'listJobs', 'getJob', 'getJobReport'),
  })
}

export type BatchTarget =
  | { readonly ids: string[] }
  | { readonly segment: string }
  | { readonly filter: Filter }

interface RememberedForm {
  readonly target: BatchTarget
  readonly state: FormState
  readonly reason: string
  /** Location of the form: its URL, and the history state with the users of the batch. */
  readonly place: Location
  readonly jobId: string | undefined
}

/** Last form, for returning from its dry run. Its values are personal data, so they stay in this tab's memory. */
export const rememberedForms = new WeakMap<QueryClient, RememberedForm>()
