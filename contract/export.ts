import * as z from 'zod'

import { issueAt } from './code.ts'
import { changeReason, text } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { isOneSelection, oneSelection, userSelection } from './segment.ts'
import { readColumn, userSort } from './user-search.ts'

/** Columns of a user, by field name. The invitation link is never included, because it is a secret. */
export const userColumns = ['id', 'name', 'email', 'ref', 'since', 'created', 'account'] as const
export type UserColumn = (typeof userColumns)[number]

/** Choice of the entities to export, one per row: those that match the filter, each of them, or only the first. */
export const whichEntities = ['matching', 'each', 'first'] as const
export type WhichEntities = (typeof whichEntities)[number]

/** Hours for which the file of an export is kept. */
export const exportHours = 24
/** Maximum number of files that are kept for one caller; the oldest ones give way. */
export const maxKeptFiles = 10
export const maxExportColumns = 200
/** Maximum number of users in a file that is sorted. */
export const maxSortedUsers = 100_000

/** Media types of the formats. */
export const exportTypes = {
  csv: 'text/csv;charset=UTF-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
} as const

export const isUserColumn = (name: string): name is UserColumn =>
  (userColumns as readonly string[]).includes(name)

const column = text(200).refine(
  (name) => isUserColumn(name) || readColumn(name) !== undefined,
  `Name a field of users (${userColumns.join(', ')}), or a property as an entity type, a dot and a key, such as car.plate.`,
)

/** A file of users. A CSV or a workbook has columns; in NDJSON each user is a line, with the fields of `GET /users/{user_id}`. */
export const exportRequest = z
  .strictObject({
    ...userSelection,
    /** Order of the users whom a filter or segment finds, as it is when the job begins; if absent, the order of their ids. */
    sort: userSort.optional(),
    format: z.enum(['csv', 'xlsx', 'ndjson'], 'Give csv, xlsx or ndjson.'),
    /** Columns of a table: fields of users, and properties of entities of one type. */
    columns: z
      .array(column)
      .min(1, 'Name a column.')
      .max(maxExportColumns, `At most ${maxExportColumns} columns.`)
      .optional(),
    /** Titles of the columns; if absent, their names, with what a reader of the values should know. */
    titles: z.array(text(300)).optional(),
    /**
     * With properties in columns: `first` writes one row for each user, with their oldest entity; `each` one row for
     * each entity; `matching` one for each entity that meets the filter. A user without any has one row. In NDJSON
     * `each` adds all entities to their users.
     */
    entities: z.enum(whichEntities, 'Give matching, each or first.').optional(),
    /** Separator of a CSV. */
    separator: z.enum([',', ';'], 'Give a comma or a semicolon.').default(','),
    /** Whether a CSV begins with a byte order mark, by which spreadsheets know UTF-8. */
    byteOrderMark: z.boolean().default(false),
    /** `open` writes sensitive values and needs a reason; else they are left out. */
    sensitive: z.enum(['masked', 'open'], 'Give masked or open.').default('masked'),
    reason: changeReason.optional(),
  })
  .refine(isOneSelection, oneSelection)
  .check(({ value: asked, issues }) => {
    const { format, columns, titles, entities, sensitive, reason, ids, sort } = asked
    const refuse = (member: string, code: 'required' | 'invalid', detail: string) =>
      issues.push(issueAt([member], code, detail))
    const types = new Set(columns?.flatMap((name) => typeOfColumn(name) ?? []))
    if (sensitive === 'open' && reason === undefined)
      refuse('reason', 'required', 'Give the reason for which sensitive values are exported.')
    if (entities === 'matching' && ids) refuse('entities', 'invalid', 'Users named by id match no filter.')
    if (sort !== undefined && ids)
      refuse('sort', 'invalid', 'Users named by id are in the order in which you name them.')
    if (titles && titles.length !== columns?.length)
      refuse('titles', 'invalid', 'Give a title for each column.')
    if (format === 'ndjson') {
      if (columns) refuse('columns', 'invalid', 'A file of lines has no columns.')
      if (entities !== undefined && entities !== 'each')
        refuse('entities', 'invalid', 'A file of lines has all entities of a user, or none.')
      return
    }
    if (!columns) refuse('columns', 'required', 'Name the columns.')
    if (types.size > 1) refuse('columns', 'invalid', 'Name properties of one entity type.')
    if (types.size > 0 && entities === undefined)
      refuse('entities', 'required', 'Say which entities become rows.')
    if (types.size === 0 && entities !== undefined)
      refuse('entities', 'invalid', 'Name a property, or leave out the entities.')
  })
export type ExportRequest = z.output<typeof exportRequest>

const typeOfColumn = (name: string) => (isUserColumn(name) ? undefined : readColumn(name)?.entity)

export const exportEndpoints = {
  createExport: {
    method: 'POST',
    path: '/exports',
    tag: 'Jobs',
    summary: `Writes users to a file: begins a job, whose file is kept for ${exportHours} hours.`,
    needs: ['users:read'],
    memberNeeds: { entities: ['entities:read'] },
    expensive: true,
    body: exportRequest,
    status: [201],
    addition: 'exports',
  },
  getJobFile: {
    method: 'GET',
    path: '/jobs/{job_id}/file',
    tag: 'Jobs',
    summary: 'The file of an export that is done, for its author alone.',
    needs: ['users:read'],
    file: Object.values(exportTypes),
    status: [200],
    addition: 'exports',
  },
} as const satisfies Record<string, Endpoint>
