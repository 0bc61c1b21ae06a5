import * as z from 'zod'

import type { Endpoint } from './endpoint.ts'
import { entityType, newPropertyKey } from './entity.ts'
import { dataType } from './property-value.ts'

/** Fields of a user that a column of a file can be; a name may come in parts, in columns of their own. */
export const importFields = ['id', 'name', 'first', 'middle', 'last', 'email', 'ref', 'since'] as const
export type ImportField = (typeof importFields)[number]

/** Encodings of text files. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'shift_jis',
  'gb18030',
] as const
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

export type ImportTarget = z.output<typeof importTarget>

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

/** Import as its author sees it: the file, what its columns could be, and how they are read by its mapping. */
const importView = z.looseObject({
  job: z.string(),
  /** State of the job. */
  state: z.string(),
  found: z.looseObject({
    encoding: z.string().optional(),
    separator: z.string().optional(),
    /** Name of the sheet that is read, and the names of all that are visible; absent if the file is a text. */
    sheet: z.string().optional(),
    sheets: z.array(z.string()).optional(),
    /** True if each line is an object, whose members name the columns. */
    lines: z.boolean().optional(),
    /** Number of the row with the names of the columns; absent if there is none. */
    header: z.number().optional(),
    rows: z.number(),
    /** Number of cells with a guard against formulas or numbers, which are read without it. */
    guarded: z.number(),
    /** Names that several columns have. */
    doubled: z.array(z.string()),
    /** True for an export of ours, whose headers say what the columns are. */
    isOwn: z.boolean(),
  }),
  columns: z.array(
    z.looseObject({
      header: z.string(),
      /** First different values. */
      samples: z.array(z.string()),
      /** Target that the header, definitions and existing properties suggest. */
      proposed: z.looseObject({ to: z.string() }),
    }),
  ),
  /** First rows of the file, one of which may have the names of the columns; long cells are cut. */
  firstRows: z.array(z.looseObject({ row: z.number(), cells: z.array(z.string()) })),
  mapping: z.looseObject({}).optional(),
  /** One for each column, by the first 5,000 rows; null for a column that is ignored. */
  readings: z
    .array(
      z
        .looseObject({
          read: z.number(),
          empty: z.number(),
          bad: z.number(),
          /** The most frequent cells that cannot be read. */
          badCells: z.array(z.looseObject({ cell: z.string(), count: z.number(), cause: z.string() })),
          /** Cell that is written in another way than its value. */
          example: z.looseObject({ cell: z.string(), value: z.unknown() }).optional(),
          /** Choices that the column leaves open, or that were made. */
          questions: z.array(
            z.looseObject({
              of: z.string(),
              cell: z.string(),
              options: z.array(z.looseObject({ choice: z.unknown(), value: z.unknown() })),
            }),
          ),
        })
        .nullable(),
    )
    .optional(),
})
export type ImportView = z.infer<typeof importView>

/** Reading of a file, as far as it is not to be found. */
const fileReading = z.object({
  encoding: z.enum(encodings, `Give one of ${encodings.join(', ')}.`).optional(),
  separator: z.enum(separators, 'Give a comma, a semicolon, a tab or |.').optional(),
  /** Name of the sheet of a workbook. */
  sheet: z.string().min(1, 'Give the name of a sheet.').max(255, 'Give the name of a sheet.').optional(),
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
        'application/x-ndjson',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'application/octet-stream',
        'application/vnd.ms-excel',
      ],
      bytes: maxImportBytes,
    },
    status: [201],
    addition: 'imports',
  },
  getImport: {
    method: 'GET',
    path: '/imports/{job_id}',
    tag: 'Jobs',
    summary:
      'The file of an import: what was found, its columns with proposed targets, and how they are read.',
    needs: importNeeds,
    reply: importView,
    status: [200],
    addition: 'imports',
  },
  mapImport: {
    method: 'PUT',
    path: '/imports/{job_id}/mapping',
    tag: 'Jobs',
    summary: 'Says what the columns of a file are; what a check has found by another mapping is forgotten.',
    needs: importNeeds,
    expensive: true,
    body: importMapping,
    reply: importView,
    status: [200],
    addition: 'imports',
  },
} as const satisfies Record<string, Endpoint>
