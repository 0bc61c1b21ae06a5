import type { Encoding, Separator } from '#contract/import.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { TextRows } from './text-rows.ts'
import { WorkbookRows } from './workbook-rows.ts'

/** Choices of a person for the reading of a file: the first two of a text, the last of a workbook. */
interface FileChoices {
  readonly encoding?: Encoding | undefined
  readonly separator?: Separator | undefined
  readonly sheet?: string | undefined
}

/** Signature of a ZIP archive, which a workbook is. */
const archiveStart = Buffer.from('PK\u0003\u0004')

/** Reads the rows of a file as text or as a workbook, by its first bytes. */
export class FileRows {
  readonly #choices: FileChoices
  #rows: TextRows | WorkbookRows

  constructor(choices: FileChoices) {
    this.#choices = choices
    this.#rows = new TextRows(choices)
  }

  get found(): TextRows['found'] | WorkbookRows['found'] {
    return this.#rows.found
  }

  /** Names of the columns so far; undefined if they are in a row of the file. */
  get names(): readonly string[] | undefined {
    return 'names' in this.#rows ? this.#rows.names : undefined
  }

  async *read(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly TableRow[], void> {
    const whole = withWholeStart(pieces, archiveStart.length)
    try {
      const start = await whole.next()
      if (start.value?.subarray(0, archiveStart.length).equals(archiveStart) === true)
        this.#rows = new WorkbookRows(this.#choices.sheet)
      yield* this.#rows.read(startAgain(start, whole))
    } finally {
      // Lets go of the request if the rest is not read, because the start was refused.
      await whole.return()
    }
  }
}

/** Joins the first pieces until they have some bytes, or all of the file. */
async function* withWholeStart(pieces: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer, void> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of pieces) {
    start = start && Buffer.concat([start, piece])
    if (start && start.length < bytes) continue
    yield start ?? piece
    start = undefined
  }
  if (start) yield start
}

async function* startAgain(
  start: IteratorResult<Buffer, void>,
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  if (start.done !== true) yield start.value
  yield* rest
}
