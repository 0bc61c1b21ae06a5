import type { Encoding, Separator } from '#contract/import.ts'
import { TextReader } from '#contract/reading/encoding.ts'
import { findSeparator, RowReader, type TableRow } from '#contract/reading/table.ts'
import { badFileOf, refusalOfText } from './bad-file.ts'
import { beginsWithObject, ObjectReader } from './object-reader.ts'

/** Choices of a person for the reading of a text file; what is undefined is found. */
interface TextChoices {
  readonly encoding?: Encoding | undefined
  readonly separator?: Separator | undefined
}

/** Characters by which the separator is found. */
const headCharacters = 256 * 1024

/** Reads the rows of a text file as its bytes arrive. Throws the refusal if it is no table. */
export class TextRows {
  readonly #choices: TextChoices
  readonly #text: TextReader
  #head = ''
  #rows: RowReader | ObjectReader | undefined
  #separator: Separator | undefined

  constructor(choices: TextChoices) {
    this.#choices = choices
    this.#text = new TextReader(choices.encoding)
  }

  get found(): {
    readonly encoding: Encoding | undefined
    readonly separator: Separator | undefined
    readonly lines?: true
  } {
    const lines = this.#rows instanceof ObjectReader && ({ lines: true } as const)
    return { encoding: this.#text.encoding, separator: this.#separator, ...lines }
  }

  /** Names of the columns so far; undefined for a table, which has them in a row. */
  get names(): readonly string[] | undefined {
    return this.#rows instanceof ObjectReader ? this.#rows.names : undefined
  }

  async *read(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly TableRow[], void> {
    try {
      for await (const piece of pieces) yield this.#push(this.#text.push(piece))
      yield this.#push(this.#text.end())
      if (!this.#rows) yield this.#begin(true)
      yield [...(this.#rows?.end() ?? [])]
    } catch (error) {
      throw refusalOfText(error) ?? error
    }
  }

  #push(text: string): readonly TableRow[] {
    if (this.#rows) return [...this.#rows.push(text)]
    this.#head += text
    return this.#head.length < headCharacters ? [] : this.#begin(false)
  }

  #begin(isWhole: boolean): readonly TableRow[] {
    const head = this.#head
    this.#head = ''
    if (this.#choices.separator === undefined && beginsWithObject(head)) {
      this.#rows = new ObjectReader()
      return [...this.#rows.push(head)]
    }
    this.#separator = this.#choices.separator ?? findSeparator(head, isWhole)
    this.#rows = new RowReader(this.#separator)
    const rows = [...this.#rows.push(head)]
    // A text of another kind has no columns, or has them by accident.
    if (/^\s*(?:[{[<]|%PDF|BEGIN:V)/.test(head) && rows.every(({ cells }) => cells.length === 1))
      throw badFileOf('table')
    return rows
  }
}
