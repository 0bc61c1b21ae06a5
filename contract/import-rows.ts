import * as z from 'zod'

import { changeReason, userId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { importNeeds } from './import.ts'
import { outcomes, undoOutcomes } from './job.ts'

/** Rows of a page of `GET /imports/{job_id}/rows`. */
export const importRowsPerPage = 50

/** Why a cell or a row of a file is left out. */
const importProblem = z.looseObject({
  /** Index of the column; absent if the whole row is meant. */
  column: z.number().optional(),
  code: z.string(),
  /** The cell as it is in the file. */
  cell: z.string().optional(),
  detail: z.string(),
})

/** Change of a property or of a field of the user. */
const importChange = z.looseObject({
  column: z.number().optional(),
  /** Type of the entity; absent for a field of the user. */
  entity: z.string().optional(),
  key: z.string(),
  before: z.unknown().optional(),
  typeBefore: z.string().optional(),
  after: z.unknown().optional(),
  type: z.string().optional(),
  /** True if the property is sensitive: its values are withheld. */
  masked: z.boolean().optional(),
})
export type ImportChange = z.infer<typeof importChange>

/** Row of a file: until it is imported, what the import would do now; then what it did. */
export const importRow = z.looseObject({
  /** Number of the row in the file. */
  row: z.number(),
  outcome: z.string(),
  /** Outcome of the undo; absent if there is none, or if the row changed nobody. */
  undone: z.string().optional(),
  user: userId.optional(),
  /** Name of the user; absent if the user has none, or was deleted. */
  name: z.string().optional(),
  /** Identifier that found the user: id, email or ref. */
  by: z.string().optional(),
  /** Cells as they are in the file; none once they are no longer kept. */
  cells: z.array(z.string()),
  changes: z.array(importChange),
  problems: z.array(importProblem),
})
export type ImportRow = z.infer<typeof importRow>

const importRows = z.looseObject({
  /** `offset` of the next page; `""` on the last one. */
  next: z.string(),
  rows: z.array(importRow),
})

const addition = 'imports'

export const importRowEndpoints = {
  checkImport: {
    method: 'POST',
    path: '/imports/{job_id}/check',
    tag: 'Jobs',
    summary: 'Begins to check all rows of a file that is mapped: a dry run, which changes nobody.',
    needs: importNeeds,
    body: z.strictObject({ reason: changeReason.optional() }),
    status: [204],
    addition,
  },
  getImportRows: {
    method: 'GET',
    path: '/imports/{job_id}/rows',
    tag: 'Jobs',
    summary: `The rows of a file that were checked, ${importRowsPerPage} at a time, each with what it changes.`,
    needs: importNeeds,
    expensive: true,
    query: z.object({
      outcome: z.enum(outcomes, `Give one of ${outcomes.join(', ')}.`).optional(),
      undone: z.enum(undoOutcomes, `Give one of ${undoOutcomes.join(', ')}.`).optional(),
      /** Opaque cursor: the `next` of the previous page. */
      offset: z.string().optional(),
    }),
    reply: importRows,
    status: [200],
    addition,
  },
} as const satisfies Record<string, Endpoint>
