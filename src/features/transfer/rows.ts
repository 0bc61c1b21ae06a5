import * as z from 'zod'

import type { ImportField } from '#contract/import.ts'
import {
  emailKey,
  findHidden,
  isOlderConsent,
  newRef,
  type PropertyInput,
  trimEnds,
  type UserPatch,
  userPatch,
} from '#contract/index.ts'
import type { BadCause, ColumnReading } from '#contract/reading/columns.ts'
import { stripGuard } from '#contract/reading/guards.ts'
import { nameParts } from '#contract/reading/headers.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { fieldNames, toSent, type UserFieldName } from '../../domain/people/user-fields.ts'
import { yieldToMain } from '../../domain/work/concurrency.ts'
import { importColumnsText, transferText } from '../../messages/index.ts'
import type { Existing, FoundUser, Wanted } from './lookup.ts'
import { readTarget, type Target } from './mapping.ts'

interface RowProblem {
  /** Index of the column; undefined if the problem concerns the whole row. */
  readonly column?: number | undefined
  readonly detail: string
}

/** Row as it would be sent. Empty cells are left out, so they change nothing. */
export interface ReadRow extends TableRow {
  readonly body: UserPatch
  readonly properties: readonly PropertyInput[]
  /** Id that the user may have, as an export of ours has it. */
  readonly id: string | undefined
  /** Normalised e-mail. A row with neither id, e-mail nor ref matches no existing user. */
  readonly email: string | undefined
  readonly ref: string | undefined
  readonly problems: readonly RowProblem[]
}

/** `unchecked`: it is unknown whether the user exists, because nobody looked. */
export type Verdict = 'create' | 'match' | 'unchecked' | 'error'

export interface ImportRow extends ReadRow {
  readonly verdict: Verdict
  /** Existing user that the row matches, and the field that identified them. */
  readonly match?: (FoundUser & { readonly by: 'id' | 'email' | 'ref' }) | undefined
  /** Consents of the row that are older than the matching user's, which stay. */
  readonly older?: readonly { readonly key: string; readonly given: unknown; readonly stored: unknown }[]
}

const rowsPerTurn = 250
/** Longest name that the service accepts, in characters. */
const longestName = 1000

const rules = { ...userPatch.shape, id: z.uuid(), ref: newRef }

/**
 * Validates rows by the service's rules, so that it need not be asked.
 *
 * @param headers One for each expected cell.
 * @param areBadCellsLeft Whether cells that cannot be read are left out, instead of their rows.
 */
export async function readRows(
  rows: readonly TableRow[],
  headers: readonly string[],
  targets: readonly Target[],
  signal: AbortSignal,
  areBadCellsLeft = false,
): Promise<ReadRow[]> {
  const read: ReadRow[] = []
  const columns = targets.flatMap((target, column): ReadableColumn[] =>
    target.to === 'ignore'
      ? []
      : [{ column, target, reading: readTarget(target, headers[column] ?? '', { rows, column }) }],
  )
  // First row of each id, e-mail and ref. A second row with the same one would be the same user.
  const seen = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) {
      await yieldToMain()
      signal.throwIfAborted()
    }
    const one = readRow(row, headers.length, columns, areBadCellsLeft)
    const problems = [...one.problems, ...(one.problems.length === 0 ? findRepeats(one, targets, seen) : [])]
    if (problems.length === 0)
      for (const field of identifying)
        if (one[field] !== undefined) seen.set(`${field} ${one[field]}`, one.row)
    read.push({ ...one, problems })
  }
  return read
}

interface ReadableColumn {
  readonly column: number
  readonly target: Exclude<Target, { readonly to: 'ignore' }>
  readonly reading: ColumnReading
}

function readRow(
  { row, cells }: TableRow,
  width: number,
  columns: readonly ReadableColumn[],
  areBadCellsLeft: boolean,
): ReadRow {
  const problems: RowProblem[] = []
  const given: Partial<Record<ImportField, string>> = {}
  const properties: PropertyInput[] = []
  if (cells.length !== width)
    problems.push({ detail: transferText.problems.ragged({ cells: cells.length, width }) })
  else
    for (const { column, target, reading } of columns) {
      const cell = cells[column] ?? ''
      const meant = reading.read(cell)
      if (meant.empty) continue
      const detail = meant.bad
        ? describeBad(stripGuard(cell), meant.bad)
        : target.to === 'field'
          ? addField(given, target.field, String(meant.value))
          : addProperty(properties, target, meant.value)
      if (detail !== undefined && !areBadCellsLeft) problems.push({ column, detail })
    }
  const { body, id } = bodyOf(given)
  if (problems.length === 0 && Object.keys(body).length === 0 && properties.length === 0)
    problems.push({ detail: transferText.problems.nothing })
  const { email, ref } = body
  return {
    row,
    cells,
    body,
    properties,
    id,
    email: email === undefined ? undefined : emailKey(email),
    ref,
    problems,
  }
}

const isUserField = (field: ImportField): field is UserFieldName => fieldNames.some((name) => name === field)

/** Returns why a cell has no meaning, with its value. */
export function describeBad(cell: string, cause: BadCause): string {
  return findHidden(trimEnds(cell)) ?? importColumnsText.bad[cause]({ cell: trimEnds(cell).slice(0, 60) })
}

/** Adds the value of a field; returns the problem if the service would refuse it. */
function addField(given: Partial<Record<ImportField, string>>, field: ImportField, value: string) {
  // The field has no zone; the values of a column are in UTC.
  const sent = isUserField(field)
    ? toSent(field, field === 'since' ? value.replace(/Z$/, '') : value)
    : trimEnds(value)
  if (sent === '') return undefined
  if (!isUserField(field) && field !== 'id') {
    given[field] = sent
    return undefined
  }
  const result = rules[field].safeParse(sent)
  if (result.success) {
    given[field] = String(result.data)
    return undefined
  }
  if (field === 'id') return transferText.problems.badId({ cell: sent })
  return findHidden(sent) ?? result.error.issues[0]?.message ?? ''
}

function addProperty(
  properties: PropertyInput[],
  { key, type, sensitive }: Target & { readonly to: 'property' },
  value: unknown,
): undefined {
  properties.push({
    key,
    type: type as NonNullable<PropertyInput['type']>,
    value,
    // An omitted `sensitive` leaves the mark of an existing property unchanged.
    ...(sensitive && { sensitive }),
  })
}

/** Joins the parts of a name, and keeps the id apart, which only finds the user. */
function bodyOf({ id, first, middle, last, ...fields }: Partial<Record<ImportField, string>>) {
  const parts = { first, middle, last }
  const name = nameParts.flatMap((part) => parts[part] ?? []).join(' ')
  const body: UserPatch = { ...(name !== '' && { name: name.slice(0, longestName) }), ...fields }
  return { body, id: id?.toLowerCase() }
}

const identifying = ['id', 'email', 'ref'] as const
const repeated = {
  id: transferText.problems.sameId,
  email: transferText.problems.sameEmail,
  ref: transferText.problems.sameRef,
}

function findRepeats(
  row: Omit<ReadRow, 'problems'>,
  targets: readonly Target[],
  seen: ReadonlyMap<string, number>,
): RowProblem[] {
  return identifying.flatMap((field) => {
    const before = seen.get(`${field} ${row[field]}`)
    if (before === undefined) return []
    const column = targets.findIndex((target) => target.to === 'field' && target.field === field)
    return [{ column, detail: repeated[field]({ row: before }) }]
  })
}

/** Returns the ids, e-mails and refs to look up: those of rows without a problem. */
export function wantedOf(rows: readonly ReadRow[]): Wanted {
  const fine = rows.filter(({ problems }) => problems.length === 0)
  const listGiven = (values: readonly (string | undefined)[]) =>
    new Set(values.filter((value) => value !== undefined))
  return {
    ids: listGiven(fine.map(({ id }) => id)),
    emails: listGiven(fine.map(({ email }) => email)),
    refs: listGiven(fine.map(({ ref }) => ref)),
  }
}

/** @param existing Users who exist already; undefined if nobody looked. */
export function evaluateRows(rows: readonly ReadRow[], existing: Existing | undefined): ImportRow[] {
  // Two rows may refer to the same user, one by e-mail and the other by ref.
  const matched = new Map<string, number>()
  return rows.map((row): ImportRow => {
    if (row.problems.length > 0) return { ...row, verdict: 'error' }
    const refuse = (detail: string): ImportRow => ({ ...row, verdict: 'error', problems: [{ detail }] })
    if (identifying.every((field) => row[field] === undefined)) return { ...row, verdict: 'create' }
    if (!existing) return { ...row, verdict: 'unchecked' }
    const matches = identifying.flatMap((by) => {
      const one = existing[found[by]].get(row[by] ?? '')
      return one ? [{ ...one, by }] : []
    })
    const [match] = matches
    if (!match) return { ...row, verdict: 'create' }
    if (matches.some(({ id }) => id !== match.id)) return refuse(transferText.problems.twoMatches)
    const before = matched.get(match.id)
    if (before !== undefined) return refuse(transferText.problems.sameUser({ row: before }))
    matched.set(match.id, row.row)
    const older = findOlder(row, existing.consents.get(match.id))
    return { ...row, verdict: 'match', match, older }
  })
}

/** Name, in the answer of a lookup, of the users found by each field. */
const found = { id: 'ids', email: 'emails', ref: 'refs' } as const

function findOlder({ properties }: ReadRow, consents: Readonly<Record<string, unknown>> = {}) {
  return properties.flatMap(({ key, type, value: given }) => {
    const stored = Object.hasOwn(consents, key) ? consents[key] : undefined
    return type === 'PREFERENCE' && isOlderConsent(given, stored) ? [{ key, given, stored }] : []
  })
}
