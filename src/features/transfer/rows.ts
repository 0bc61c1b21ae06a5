import * as z from 'zod'

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
import { stripGuard } from '#contract/reading/guards.ts'
import { type ImportField, nameParts } from '#contract/reading/headers.ts'
import type { Notation } from '#contract/reading/notation.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { fieldNames, toSent, type UserFieldName } from '../../domain/people/user-fields.ts'
import { notation, readCell } from '../../domain/values/draft.ts'
import { yieldToMain } from '../../domain/work/concurrency.ts'
import { transferText, userEditText } from '../../messages/index.ts'
import { doubtfulNumbers } from './column-numbers.ts'
import type { Existing, FoundUser, Wanted } from './lookup.ts'
import { isNumeric, type Target } from './mapping.ts'

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

/** Returns the problem of a cell as a person typed it; the service's messages describe stored values. */
function problemOf(field: UserFieldName | 'id', cell: string): string | undefined {
  if (field === 'email') return userEditText.fields.emailInvalid
  if (field === 'id') return transferText.problems.badId({ cell: cell.trim() })
  return field === 'since' ? transferText.problems.badSince({ cell: cell.trim() }) : undefined
}

/** Validates rows by the service's rules, so that it need not be asked. `headers`: one for each expected cell. */
export async function readRows(
  rows: readonly TableRow[],
  headers: readonly string[],
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<ReadRow[]> {
  const read: ReadRow[] = []
  const notations = targets.map((target, column) => notationOf(target, headers[column] ?? '', rows, column))
  // First row of each id, e-mail and ref. A second row with the same one would be the same user.
  const seen = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) {
      await yieldToMain()
      signal.throwIfAborted()
    }
    const one = readRow(row, headers.length, targets, notations)
    const problems = [...one.problems, ...(one.problems.length === 0 ? findRepeats(one, targets, seen) : [])]
    if (problems.length === 0)
      for (const field of identifying)
        if (one[field] !== undefined) seen.set(`${field} ${one[field]}`, one.row)
    read.push({ ...one, problems })
  }
  return read
}

/**
 * Returns how the numbers of a column are written: in the person's own notation, unless it is known or in doubt. In an
 * ambiguous column their notation does not decide, because the file may come from another country.
 */
function notationOf(target: Target, header: string, rows: readonly TableRow[], column: number): Notation {
  if (target.to !== 'property' || !isNumeric(target.type)) return notation
  const doubt = doubtfulNumbers(header, rows, column)
  const decimal = target.decimal ?? doubt?.decimal
  return { ...notation, decimal, isCopied: doubt !== undefined }
}

function readRow(
  { row, cells }: TableRow,
  width: number,
  targets: readonly Target[],
  notations: readonly Notation[],
): ReadRow {
  const problems: RowProblem[] = []
  const given: Partial<Record<ImportField, string>> = {}
  const properties: PropertyInput[] = []
  if (cells.length !== width)
    problems.push({ detail: transferText.problems.ragged({ cells: cells.length, width }) })
  else
    for (const [column, target] of targets.entries()) {
      const cell = stripGuard(cells[column] ?? '')
      if (target.to === 'field') {
        const { field } = target
        const sent = isUserField(field) ? toSent(field, cell) : trimEnds(cell)
        if (sent === '') continue
        if (!isUserField(field) && field !== 'id') {
          given[field] = sent
          continue
        }
        const result = rules[field].safeParse(sent)
        if (result.success) given[field] = String(result.data)
        else
          problems.push({
            column,
            detail: findHidden(sent) ?? problemOf(field, cell) ?? result.error.issues[0]?.message ?? '',
          })
      } else if (target.to === 'property' && trimEnds(cell) !== '') {
        const { key, type, sensitive } = target
        const read = readCell(type, cell, notations[column] ?? notation)
        if (read.issues) problems.push({ column, detail: read.issues[0]?.detail ?? '' })
        else
          properties.push({
            key,
            type: type as NonNullable<PropertyInput['type']>,
            value: read.value,
            // An omitted `sensitive` leaves the mark of an existing property unchanged.
            ...(sensitive && { sensitive }),
          })
      }
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
