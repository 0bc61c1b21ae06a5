import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import type { ImportMapping } from '#contract/import.ts'
import type { BodyInput, Endpoints } from '#contract/index.ts'
import { api, put, q, refresh } from '../../api/index.ts'
import type { Keyed } from '../../api/keyed-writes.ts'

export const importQuery = (jobId: string) => q('getImport', { params: { job_id: jobId } })

/** File or pasted text, and how the person wants it to be read; what is undefined is found. */
export interface ImportSource {
  /** Name of the file; undefined for pasted text. */
  readonly name: string | undefined
  readonly body: Blob
}

export type FileReading = NonNullable<Parameters<typeof api.createImport>[0]['query']>

/**
 * File of the import that this tab began last, so that it can be read another way. The content is personal data, so it
 * stays in this tab's memory.
 */
export const chosenFiles = new WeakMap<
  QueryClient,
  { readonly jobId: string; readonly source: ImportSource; readonly reading: FileReading }
>()

interface Upload extends Keyed {
  readonly source: ImportSource
  readonly reading: FileReading
  readonly signal: AbortSignal
}

/** Uploads a file, and returns the id of its import. */
export function uploadFile() {
  return mutationOptions({
    mutationFn: ({ source, reading, signal }: Upload) =>
      api.createImport({ query: reading, upload: source.body, signal }),
    onSuccess: ({ id }, { source, reading }, _result, { client }) => {
      if (id !== undefined) chosenFiles.set(client, { jobId: id, source, reading })
    },
    onSettled: (_written, _error, _upload, _result, { client }) => refresh(client, 'listJobs'),
  })
}

type Mapping = BodyInput<Endpoints['mapImport']>

/** Requests about one import are sent one after the other: a mapping that arrives late would undo the check. */
const inTurn = (jobId: string) => ({ scope: { id: jobId } })

/** Sends a mapping; the import then says how its columns are read. */
export function mapImport(jobId: string) {
  return mutationOptions({
    ...inTurn(jobId),
    mutationFn: (mapping: Mapping) => api.mapImport({ params: { job_id: jobId }, body: mapping }),
    onSuccess: (view, _mapping, _result, { client }) => put(client, importQuery(jobId), view),
  })
}

interface Check {
  readonly mapping: ImportMapping
  readonly reason: string | undefined
}

/** Begins the check of all rows by a mapping. */
export function checkImport(jobId: string) {
  const params = { job_id: jobId }
  return mutationOptions({
    ...inTurn(jobId),
    mutationFn: async ({ mapping, reason }: Check) => {
      await api.mapImport({ params, body: mapping })
      await api.checkImport({ params, body: { reason } })
    },
    onSettled: (_nothing, _error, _check, _result, { client }) =>
      refresh(client, 'listJobs', 'getJob', 'getImport', 'getImportRows'),
  })
}
