import { mutationOptions } from '@tanstack/react-query'

import type { BodyInput, Endpoints } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import type { Keyed } from '../../api/keyed-writes.ts'
import { jobsKey, jobsQuery } from '../../domain/queries/jobs.ts'
import { forgetForm } from './kept-form.ts'

// Apart from what is read: the routes of these pages, which the first page has, change nothing.

/** Answers the id of the job; absent where its address could not be read. */
export function createBatch() {
  return mutationOptions({
    mutationFn: ({ body, ...keyed }: Keyed & { readonly body: BodyInput<Endpoints['createBatch']> }) =>
      api.createBatch({ body, ...keyed }),
    onSettled: (_written, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: jobsQuery().queryKey }),
  })
}

/** Stops a job, lets it go on, or has it do what its check found. Each may be sent twice. */
export function steerJob(id: string) {
  return mutationOptions({
    mutationFn: async (how: 'stop' | 'resume' | 'apply') => {
      const params = { job_id: id }
      if (how === 'stop') await api.stopJob({ params })
      else if (how === 'resume') await api.resumeJob({ params })
      else await api.applyJob({ params })
    },
    onSuccess: (_nothing, how, _result, { client }) => {
      if (how === 'apply') forgetForm(client)
    },
    onSettled: (_nothing, _error, _how, _result, { client }) =>
      client.invalidateQueries({ queryKey: jobsKey }),
  })
}
