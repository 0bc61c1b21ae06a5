import * as z from 'zod'

import type { ImportField } from '#contract/import.ts'
import {
  emailKey,
  type DataType,
  findHidden,
  newRef,
  trimEnds,
  unknownEmail,
  unknownName,
  type UserPatch,
  userFieldRules,
} from '#contract/index.ts'
import type { BadCause, ColumnReading } from '#contract/reading/columns.ts'
import { isNamePart, nameParts } from '#contract/reading/headers.ts'
import type { FileRow } from './chunks.ts'

/** Field of a user that a file gives; an id only finds the user. */
export type GivenField = 'email' | 'name' | 'ref' | 'since'

/** Column of a file that is imported, with how its cells are read. */
export interface ReadableColumn {
  readonly column: number
  readonly header: string
  readonly reading: Pick<ColumnReading, 'read'>
  readonly to:
    | { readonly field: ImportField }
    | {
        readonly entity: string
        readonly key: string
        readonly type: DataType
        /** Whether values are sealed; those of a property that exists only if the file was mapped so. */
        readonly sensitive: 'always' | 'new' | 'never'
      }
}

/** Why a cell or a row is left out. Holds no value of a person but the cell itself. */
export interface RowProblem {
  /** Column of the file; undefined if the whole row is meant. */
  readonly column?: number | undefined
  readonly code: string
  readonly cell?: string | undefined
  readonly detail: string
}

/** Property that a row gives; null if its cell is empty. */
export interface GivenProperty {
  readonly column: number
  readonly key: string
  readonly type: DataType
  readonly value: unknown
  readonly sensitive: 'always' | 'new' | 'never'
}

/** Row as it is imported. */
export interface ReadRow {
  /** Number of the row in the file. */
  readonly row: number
  readonly id: string | undefined
  readonly emailKey: string | undefined
  readonly fields: Readonly<Pick<UserPatch, GivenField>>
  /** Fields whose cells are empty. */
  readonly emptyFields: readonly GivenField[]
  /** Properties by the type of their entity; those with empty cells are among them. */
  readonly properties: ReadonlyMap<string, readonly GivenProperty[]>
  readonly problems: readonly RowProblem[]
  /** Whether the whole row is left out. */
  readonly isLeftOut: boolean
}

/** Longest name that is stored, in characters. */
const longestName = 1000
const { email, name, since } = userFieldRules
const rules = { email, name, since, ref: newRef, id: z.uuid('This is no id of a user.') }

/** Whether a field is a part of the name, which is joined with the others. */
const isPart = (field: ImportField): field is (typeof nameParts)[number] => isNamePart(field)

const isProperty = (to: ReadableColumn['to']) => 'key' in to

/** Reads a row by the rules of requests, so that no request would refuse what is left of it. */
export function readRow(
  [row, cells]: FileRow,
  columns: readonly ReadableColumn[],
  { width, bad }: { readonly width: number; readonly bad: 'cell' | 'row' },
): ReadRow {
  const problems: RowProblem[] = []
  const given: Partial<Record<ImportField, string>> = {}
  const emptyFields: GivenField[] = []
  const properties = new Map<string, GivenProperty[]>()
  // A row is shorter if a line further on was the first to have a column.
  const isRagged = cells.length > width
  if (isRagged)
    problems.push({
      code: 'width',
      detail: `The row has ${cells.length} cells, but the file has ${width} columns.`,
    })
  else
    for (const each of columns) {
      const { column, reading, to } = each
      const cell = cells[column] ?? ''
      const meant = reading.read(cell)
      const problem = meant.bad ? describeBad(meant.bad, trimEnds(cell)) : undefined
      if (problem) problems.push({ column, cell, ...problem })
      else if (isProperty(to)) {
        const { entity, ...rest } = to
        const value = meant.empty ? null : ((meant as { value?: unknown }).value ?? null)
        const known = properties.get(entity)
        if (known) known.push({ column, ...rest, value })
        else properties.set(entity, [{ column, ...rest, value }])
      } else {
        const read = readField(to.field, meant.empty ? '' : String((meant as { value: unknown }).value))
        if (read.problem) problems.push({ column, cell, ...read.problem })
        else if (read.value !== '') given[to.field] = read.value
        else if (!isPart(to.field) && to.field !== 'id' && to.field !== 'since') emptyFields.push(to.field)
      }
    }
  const { id, first, middle, last, ...fields } = given
  const parts = { first, middle, last }
  const joined = nameParts.flatMap((part) => parts[part] ?? []).join(' ')
  const isEmpty =
    Object.keys(given).length === 0 &&
    [...properties.values()].flat().every(({ value }) => value === null) &&
    problems.length === 0
  if (isEmpty) problems.push({ code: 'nothing', detail: 'The row is empty in all imported columns.' })
  return {
    row,
    id: id?.toLowerCase(),
    emailKey: fields.email === undefined ? undefined : emailKey(fields.email),
    fields: { ...(joined !== '' && { name: joined.slice(0, longestName).toWellFormed() }), ...fields },
    emptyFields,
    properties,
    problems,
    isLeftOut: isRagged || isEmpty || (bad === 'row' && problems.length > 0),
  }
}

type FieldRead =
  | { readonly value: string; readonly problem?: never }
  | { readonly problem: Omit<RowProblem, 'column' | 'cell'>; readonly value?: never }

/** Reads the value of a field; `''` for none. */
function readField(field: ImportField, text: string): FieldRead {
  const value = field === 'since' ? text.replace(/Z$/, '') : trimEnds(text)
  if (value === '' || value === unknownEmail || value === unknownName) return { value: '' }
  if (isPart(field)) return { value }
  const read = rules[field].safeParse(value)
  if (read.success) return { value: read.data }
  return {
    problem: { code: 'invalid', detail: findHidden(value) ?? read.error.issues[0]?.message ?? '' },
  }
}

/** Why a cell has no value of a type; the console and the file of left-out rows show it after the cell. */
const notA: Readonly<Record<DataType, string>> = {
  BOOLEAN: 'Neither yes nor no. Match it to Yes or No.',
  CURRENCY: 'Not an amount with a currency, such as 12.50 EUR.',
  DATE: 'Not a date we can read. Use a form such as 1981-02-02.',
  DATETIME: 'Not a date and time we can read. Use a form such as 2024-03-01 09:30.',
  TIME: 'Not a time of day. Use a form such as 09:30.',
  DECIMAL: 'Not a number.',
  EMAIL: 'Not an e-mail address.',
  NUMBER: 'Not a number.',
  RELATIONSHIP: 'Not the id of a user.',
  TEXT: 'Not a text we can store.',
  URL: 'Not a web address.',
  PREFERENCE: 'Not a consent. Match it to Granted, Denied or Revoked.',
}

function describeBad(cause: BadCause, cell: string): Pick<RowProblem, 'code' | 'detail'> {
  if (cause === 'ambiguous')
    return { code: 'several_meanings', detail: 'Can be read in several ways. Choose one for the column.' }
  if (cause === 'percent') return { code: 'percent', detail: 'A percentage, not a number.' }
  if (cause === 'choice')
    return { code: 'not_a_choice', detail: 'Not one of the choices. Match it to one, or keep it as written.' }
  if (cause === 'destroyed')
    return {
      code: 'destroyed',
      detail:
        'Shortened by a spreadsheet to a rounded number. Save the column as text and export the file again.',
    }
  return { code: 'not_of_type', detail: findHidden(cell) ?? notA[cause] }
}
