import {
  emailKey,
  findHidden,
  newRef,
  type PropertyInput,
  trimEnds,
  type UserPatch,
  userPatch,
} from '#contract/index.ts'
import { transferText, userEditText } from '../../messages/index.ts'
import { retype, valueOf } from '../../domain/values/draft.ts'
import { numbersIn } from '../../domain/values/numbers.ts'
import { asSent } from '../../domain/people/user-fields.ts'
import type { TableRow } from '../../domain/work/csv.ts'
import { stripFormulaGuard } from '../../domain/work/formula.ts'
import type { Existing, FoundUser, Wanted } from './lookup.ts'
import { doubtfulNumbers } from './column-numbers.ts'
import { isNumeric, type ImportField, type Target } from './mapping.ts'
import { yieldToMain } from '../../domain/work/yield-to-main.ts'

export interface RowProblem {
  /** Index of the column; absent: of the row as a whole. */
  readonly column?: number | undefined
  readonly detail: string
}

/** A row as it would be sent: only what is there, so an empty cell changes nothing. */
export interface ReadRow extends TableRow {
  readonly body: UserPatch
  readonly properties: readonly PropertyInput[]
  /** Key of the user; a row with neither e-mail nor ref cannot be matched again. */
  readonly email: string | undefined
  readonly ref: string | undefined
  readonly problems: readonly RowProblem[]
}

/** `unchecked`: it was not asked whether the user exists. */
export type Verdict = 'create' | 'match' | 'unchecked' | 'error'

export interface ImportRow extends ReadRow {
  readonly verdict: Verdict
  /** The user who is there already, and what they were recognised by. */
  readonly match?: (FoundUser & { readonly by: 'email' | 'ref' }) | undefined
}

const rowsPerTurn = 250

const rules = { ...userPatch.shape, ref: newRef }

/** Messages about what a person can write, in place of the service's rules, which describe what it stores. */
function problemOf(field: ImportField, cell: string): string | undefined {
  if (field === 'email') return userEditText.fields.emailInvalid
  return field === 'since' ? transferText.problems.badSince({ cell: cell.trim() }) : undefined
}

/**
 * The rows of a table by the rules of the service, which so need not be asked for each of them.
 * @param headers Of the cells that each row should have.
 */
export async function readRows(
  rows: readonly TableRow[],
  headers: readonly string[],
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<ReadRow[]> {
  const read: ReadRow[] = []
  const numbers = targets.map((target, column) => numbersOf(target, headers[column] ?? '', rows, column))
  // Which row has an e-mail or a ref first: a second one with it would be the same user.
  const emails = new Map<string, number>()
  const refs = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) {
      await yieldToMain()
      signal.throwIfAborted()
    }
    const one = readRow(row, headers.length, targets, numbers)
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

type Numbers = (text: string) => readonly string[]

/**
 * How the numbers of a column are read; `undefined`: as if the reader had typed them. Where it is in doubt how they are written,
 * the reader's own signs decide nothing: the file may be of another country.
 */
function numbersOf(
  target: Target,
  header: string,
  rows: readonly TableRow[],
  column: number,
): Numbers | undefined {
  if (target.to !== 'property' || !isNumeric(target.type)) return undefined
  const doubt = doubtfulNumbers(header, rows, column)
  const decimal = target.decimal ?? doubt?.decimal
  if (decimal) return (text) => numbersIn(text, { decimal }, 'declared')
  return doubt && ((text) => numbersIn(text, undefined, 'elsewhere'))
}

function readRow(
  { row, cells }: TableRow,
  width: number,
  targets: readonly Target[],
  numbers: readonly (Numbers | undefined)[],
): ReadRow {
  const problems: RowProblem[] = []
  const body: Record<string, unknown> = {}
  const properties: PropertyInput[] = []
  if (cells.length !== width)
    problems.push({ detail: transferText.problems.ragged({ cells: cells.length, width }) })
  else
    for (const [column, target] of targets.entries()) {
      const cell = stripFormulaGuard(cells[column] ?? '')
      if (target.to === 'field') {
        const given = asSent(target.field, cell)
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
        const { issues, value } = valueFrom(type, cell, numbers[column])
        if (issues) problems.push({ column, detail: issues[0]?.detail ?? '' })
        else
          properties.push({
            key,
            type: type as NonNullable<PropertyInput['type']>,
            value,
            // Left out, the mark of a property that is there already stays as it is.
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

function valueFrom(type: string, cell: string, numbers: Numbers | undefined) {
  const read = valueOf(type, retype({ text: cell }, 'TEXT', type), numbers ?? numbersIn)
  return read.issues ? { issues: read.issues } : { value: read.value }
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
  const given = (values: readonly (string | undefined)[]) =>
    new Set(values.filter((value) => value !== undefined))
  return { emails: given(fine.map(({ email }) => email)), refs: given(fine.map(({ ref }) => ref)) }
}

/** @param existing Who is there already; `undefined`: it was not asked. */
export function evaluateRows(rows: readonly ReadRow[], existing: Existing | undefined): ImportRow[] {
  // Two rows may name one user, the one by e-mail and the other by ref.
  const matched = new Map<string, number>()
  return rows.map((row): ImportRow => {
    if (row.problems.length > 0) return { ...row, verdict: 'error' }
    const { email, ref } = row
    if (email === undefined && ref === undefined) return { ...row, verdict: 'create' }
    if (!existing) return { ...row, verdict: 'unchecked' }
    const byEmail = email === undefined ? undefined : existing.emails.get(email)
    const byRef = ref === undefined ? undefined : existing.refs.get(ref)
    if (byEmail && byRef && byEmail.id !== byRef.id)
      return { ...row, verdict: 'error', problems: [{ detail: transferText.problems.twoMatches }] }
    const found = byEmail ?? byRef
    if (!found) return { ...row, verdict: 'create' }
    const before = matched.get(found.id)
    if (before !== undefined)
      return {
        ...row,
        verdict: 'error',
        problems: [{ detail: transferText.problems.sameUser({ row: before }) }],
      }
    matched.set(found.id, row.row)
    return { ...row, verdict: 'match', match: { ...found, by: byEmail ? 'email' : 'ref' } }
  })
}
