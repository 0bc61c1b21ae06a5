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
import type { Notation } from '#contract/reading/notation.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { toSent, type UserFieldName } from '../../domain/people/user-fields.ts'
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
  /** Normalised e-mail. A row with neither e-mail nor ref matches no existing user. */
  readonly email: string | undefined
  readonly ref: string | undefined
  readonly problems: readonly RowProblem[]
}

/** `unchecked`: it is unknown whether the user exists, because nobody looked. */
export type Verdict = 'create' | 'match' | 'unchecked' | 'error'

export interface ImportRow extends ReadRow {
  readonly verdict: Verdict
  /** Existing user that the row matches, and the field that identified them. */
  readonly match?: (FoundUser & { readonly by: 'email' | 'ref' }) | undefined
  /** Consents of the row that are older than the matching user's, which stay. */
  readonly older?: readonly { readonly key: string; readonly given: unknown; readonly stored: unknown }[]
}

const rowsPerTurn = 250

const rules = { ...userPatch.shape, ref: newRef }

/** Returns the problem of a cell as a person typed it; the service's messages describe stored values. */
function problemOf(field: UserFieldName, cell: string): string | undefined {
  if (field === 'email') return userEditText.fields.emailInvalid
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
  // First row of each e-mail and ref. A second row with the same one would be the same user.
  const emails = new Map<string, number>()
  const refs = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) {
      await yieldToMain()
      signal.throwIfAborted()
    }
    const one = readRow(row, headers.length, targets, notations)
    const problems = [
      ...one.problems,
      ...(one.problems.length === 0 ? findRepeats(one, targets, emails, refs) : []),
    ]
    if (problems.length === 0) {
      if (one.email !== undefined) emails.set(one.email, one.row)
      if (one.ref !== undefined) refs.set(one.ref, one.row)
    }
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
  const body: Record<string, unknown> = {}
  const properties: PropertyInput[] = []
  if (cells.length !== width)
    problems.push({ detail: transferText.problems.ragged({ cells: cells.length, width }) })
  else
    for (const [column, target] of targets.entries()) {
      const cell = stripGuard(cells[column] ?? '')
      if (target.to === 'field') {
        const given = toSent(target.field, cell)
        if (given === '') continue
        const result = rules[target.field].safeParse(given)
        if (result.success) body[target.field] = result.data
        else
          problems.push({
            column,
            detail:
              findHidden(given) ?? problemOf(target.field, cell) ?? result.error.issues[0]?.message ?? '',
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
  if (problems.length === 0 && Object.keys(body).length === 0 && properties.length === 0)
    problems.push({ detail: transferText.problems.nothing })
  const { email, ref } = body as UserPatch
  return {
    row,
    cells,
    body,
    properties,
    email: email === undefined ? undefined : emailKey(email),
    ref,
    problems,
  }
}

function findRepeats(
  { email, ref }: ReadRow,
  targets: readonly Target[],
  emails: ReadonlyMap<string, number>,
  refs: ReadonlyMap<string, number>,
): RowProblem[] {
  const columnOf = (field: string) =>
    targets.findIndex((target) => target.to === 'field' && target.field === field)
  const sameEmail = email === undefined ? undefined : emails.get(email)
  const sameRef = ref === undefined ? undefined : refs.get(ref)
  return [
    ...(sameEmail === undefined
      ? []
      : [{ column: columnOf('email'), detail: transferText.problems.sameEmail({ row: sameEmail }) }]),
    ...(sameRef === undefined
      ? []
      : [{ column: columnOf('ref'), detail: transferText.problems.sameRef({ row: sameRef }) }]),
  ]
}

/** Returns the e-mails and refs to look up: those of rows without a problem. */
export function wantedOf(rows: readonly ReadRow[]): Wanted {
  const fine = rows.filter(({ problems }) => problems.length === 0)
  const listGiven = (values: readonly (string | undefined)[]) =>
    new Set(values.filter((value) => value !== undefined))
  return { emails: listGiven(fine.map(({ email }) => email)), refs: listGiven(fine.map(({ ref }) => ref)) }
}

/** @param existing Users who exist already; undefined if nobody looked. */
export function evaluateRows(rows: readonly ReadRow[], existing: Existing | undefined): ImportRow[] {
  // Two rows may refer to the same user, one by e-mail and the other by ref.
  const matched = new Map<string, number>()
  return rows.map((row): ImportRow => {
    if (row.problems.length > 0) return { ...row, verdict: 'error' }
    const refuse = (detail: string): ImportRow => ({ ...row, verdict: 'error', problems: [{ detail }] })
    const { email, ref } = row
    if (email === undefined && ref === undefined) return { ...row, verdict: 'create' }
    if (!existing) return { ...row, verdict: 'unchecked' }
    const byEmail = email === undefined ? undefined : existing.emails.get(email)
    const byRef = ref === undefined ? undefined : existing.refs.get(ref)
    if (byEmail && byRef && byEmail.id !== byRef.id) return refuse(transferText.problems.twoMatches)
    const found = byEmail ?? byRef
    if (!found) return { ...row, verdict: 'create' }
    const before = matched.get(found.id)
    if (before !== undefined) return refuse(transferText.problems.sameUser({ row: before }))
    matched.set(found.id, row.row)
    const older = findOlder(row, existing.consents.get(found.id))
    return { ...row, verdict: 'match', match: { ...found, by: byEmail ? 'email' : 'ref' }, older }
  })
}

function findOlder({ properties }: ReadRow, consents: Readonly<Record<string, unknown>> = {}) {
  return properties.flatMap(({ key, type, value: given }) => {
    const stored = Object.hasOwn(consents, key) ? consents[key] : undefined
    return type === 'PREFERENCE' && isOlderConsent(given, stored) ? [{ key, given, stored }] : []
  })
}
