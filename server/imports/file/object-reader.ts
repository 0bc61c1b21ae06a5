import { isUserColumn } from '#contract/index.ts'
import { propertyHeader, userCell, valueCell } from '#contract/reading/cells.ts'
import { guardText } from '#contract/reading/guards.ts'
import { isFilled, LongRow, longestRow, type TableRow } from '#contract/reading/table.ts'
import { badFile } from './bad-file.ts'

/** Whether a text begins with a line that is an object of JSON, and is no other text than such lines. */
export function beginsWithObject(head: string): boolean {
  const [line = ''] = head.trimStart().split(/\r?\n/, 1)
  if (!line.startsWith('{')) return false
  try {
    return isObject(JSON.parse(line))
  } catch {
    return false
  }
}

/**
 * Reads lines of JSON, each a flat object, as rows whose columns are the members by name, or each a user with their
 * entities, as an export of ours has them.
 */
export class ObjectReader {
  /** Pieces of a line that has not ended, and their length. */
  #pieces: string[] = []
  #length = 0
  #row = 0
  readonly #columns = new Map<string, number>()
  readonly #names: string[] = []

  /** Names of the columns so far: a later line may have members that no line before has. */
  get names(): readonly string[] {
    return this.#names
  }

  *push(piece: string): Generator<TableRow, void> {
    const [first = '', ...others] = piece.split('\n')
    this.#hold(first)
    for (const next of others) {
      yield* this.end()
      this.#hold(next)
    }
  }

  /** Yields the row of the line that ends here. */
  *end(): Generator<TableRow, void> {
    const line = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    yield* this.#read(line)
  }

  #hold(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#length > longestRow) throw new LongRow(this.#row + 1)
  }

  *#read(line: string): Generator<TableRow, void> {
    this.#row += 1
    if (line.trim() === '') return
    const cells: string[] = []
    for (const [name, cell] of cellsOf(parseLine(line, this.#row), this.#row)) {
      const known = this.#columns.get(name)
      const column = known ?? this.#names.length
      if (known === undefined) {
        this.#columns.set(name, column)
        this.#names.push(name)
      }
      while (cells.length < column) cells.push('')
      cells[column] = cell
    }
    if (cells.some(isFilled)) yield { row: this.#row, cells }
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Value of a member, where a number is its text. */
type Member = string | boolean | object | null

function parseLine(line: string, row: number): Readonly<Record<string, Member>> {
  try {
    // A number is kept as it is written, since JavaScript would round a long one.
    const parsed: unknown = JSON.parse(
      line,
      (_: string, value: unknown, context?: { readonly source?: string }) =>
        typeof value === 'number' ? (context?.source ?? String(value)) : value,
    )
    if (isObject(parsed)) return parsed as Readonly<Record<string, Member>>
  } catch {
    // Told as a line that is another value.
  }
  throw badFile('line', `Line ${row} is no object of JSON, as the lines before are.`, row)
}

function* cellsOf(
  line: Readonly<Record<string, Member>>,
  row: number,
): Generator<readonly [name: string, cell: string], void> {
  for (const [name, value] of Object.entries(line)) {
    if (name === 'entities' && Array.isArray(value)) yield* propertiesOf(value)
    else if (typeof value === 'object' && value !== null)
      throw badFile(
        'nested',
        `In line ${row} “${name.slice(0, 100).toWellFormed()}” is a list or an object. Send flat objects: texts, numbers, true, false and null.`,
        row,
      )
    // Members that stand in for a missing name or e-mail are empty.
    else if (isUserColumn(name)) yield [name, guardText(userCell({ [name]: String(value ?? '') }, name))]
    else yield [name, guardText(String(value ?? ''))]
  }
}

/** Yields the properties of the first entity of each type, which are those that an import writes. */
function* propertiesOf(entities: readonly unknown[]): Generator<readonly [name: string, cell: string], void> {
  const types = new Set<string>()
  for (const entity of entities) {
    const { type, properties } = isObject(entity) ? entity : {}
    if (typeof type !== 'string' || !Array.isArray(properties) || types.has(type)) continue
    types.add(type)
    for (const property of properties as readonly unknown[]) {
      const { key, type: dataType, value } = isObject(property) ? property : {}
      if (typeof key !== 'string' || typeof dataType !== 'string') continue
      const name = propertyHeader({ entity: type, key, sensitive: false, withheld: false })
      yield [name, guardText(valueCell({ type: dataType, value }))]
    }
  }
}
