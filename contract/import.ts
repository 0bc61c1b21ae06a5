import * as z from 'zod'

import type { Endpoint } from './endpoint.ts'
import { entityType, newPropertyKey } from './entity.ts'
import { dataType } from './property-value.ts'

/** Fields of a user that a column of a file can be; a name may come in parts, in columns of their own. */
export const importFields = ['id', 'name', 'first', 'middle', 'last', 'email', 'ref', 'since'] as const
export type ImportField = (typeof importFields)[number]

/** Encodings of text files. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** Signs between the cells of a row. */
export const separators = [',', ';', '\t', '|'] as const
export type Separator = (typeof separators)[number]

/** Largest file, in bytes. */
const maxImportBytes = 1024 * 1024 * 1024
export const maxImportRows = 1_000_000
export const maxImportColumns = 1000
/** Characters that 500 rows of a file may have together. */
export const maxImportChunkCharacters = 16 * 1024 * 1024
/** Hours for which the rows of a file are kept after the job last did something. */
export const importHours = 24

/** Rows of a file that are sealed together, and that are imported in one transaction. */
export const importChunkRows = 500

/** How the cells of a column are read if they have several meanings: `ColumnChoices`. */
const columnChoices = z.strictObject({
  order: z.enum(['day', 'month'], 'Give day or month.').optional(),
  serials: z.boolean().optional(),
  century: z.enum(['past', 'near'], 'Give past or near.').optional(),
  decimal: z.enum(['.', ','], 'Give a point or a comma.').optional(),
  currency: z.string().optional(),
  scheme: z.enum(['https', 'http'], 'Give https or http.').optional(),
  yes: z.string().optional(),
  consent: z.boolean().optional(),
})

const targetKinds = 'Give to: ignore, field or property.'

/** Destination of a column. */
const importTarget = z.discriminatedUnion(
  'to',
  [
    z.strictObject({ to: z.literal('ignore') }),
    z.strictObject({
      to: z.literal('field'),
      field: z.enum(importFields, `Give one of ${importFields.join(', ')}.`),
      choices: columnChoices.optional(),
    }),
    z.strictObject({
      to: z.literal('property'),
      /** Type of the entity: the user's first one of it, which is created if there is none. */
      entity: entityType.default('person'),
      key: newPropertyKey,
      type: dataType,
      /** Whether new values are sealed; a property that is sealed already, or defined as sensitive, stays so. */
      sensitive: z.boolean().default(false),
      choices: columnChoices.optional(),
      /** Values of cells, by their text; null for no value. */
      words: z.record(z.string(), z.unknown()).optional(),
    }),
  ],
  targetKinds,
)

/** Destinations of the columns of a file, and how rows meet users who exist. */
export const importMapping = z.strictObject({
  /** One for each column of the file. */
  columns: z.array(importTarget),
  /** Treatment of users who exist: their empty values are filled, values are overwritten, or they are skipped. */
  existing: z.enum(['fill', 'overwrite', 'skip'], 'Give fill, overwrite or skip.').default('fill'),
  /** Whether an empty cell leaves a value, or clears it. */
  empty: z.enum(['leave', 'clear'], 'Give leave or clear.').default('leave'),
  /** Whether a cell that cannot be read is left out alone, or with its row. */
  bad: z.enum(['cell', 'row'], 'Give cell or row.').default('row'),
})
export type ImportMapping = z.output<typeof importMapping>

/** Reading of a file, as far as it is not to be found. */
const fileReading = z.object({
  encoding: z.enum(encodings, `Give one of ${encodings.join(', ')}.`).optional(),
  separator: z.enum(separators, 'Give a comma, a semicolon, a tab or |.').optional(),
  /** Number of the row with the names of the columns, or `none`. */
  header: z
    .string()
    .refine((given) => /^(?:none|[1-9]\d{0,5})$/.test(given), 'Give the number of a row, or none.')
    .optional(),
})

/** Scopes for all that concerns imports. */
export const importNeeds = ['users:read', 'users:write', 'entities:read', 'entities:write'] as const

export const importEndpoints = {
  createImport: {
    method: 'POST',
    path: '/imports',
    tag: 'Jobs',
    summary: 'Receives a file of users to import: a job that is ready to be mapped and checked.',
    needs: importNeeds,
    query: fileReading,
    upload: {
      // Browsers on Windows call a CSV file by Excel's type.
      types: [
        'text/csv',
        'text/tab-separated-values',
        'text/plain',
        'application/octet-stream',
        'application/vnd.ms-excel',
      ],
      bytes: maxImportBytes,
    },
    status: [201],
    addition: 'imports',
  },
} as const satisfies Record<string, Endpoint>
