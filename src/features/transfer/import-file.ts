import { trimEnds } from '#contract/index.ts'
import { BrokenQuotes, readCsv, type Separator, type TableRow } from '../../domain/work/csv.ts'
import { formula, stripFormulaGuard } from '../../domain/work/formula.ts'
import type { FileColumn } from './mapping.ts'
import { type Encoding, readTextFile } from './text-file.ts'

/** File or pasted text, not parsed yet. */
export type ImportSource =
  | { readonly kind: 'file'; readonly name: string; readonly blob: Blob }
  | { readonly kind: 'paste'; readonly text: string }

export interface ReadingChoices {
  /** Encoding chosen by the person; undefined to detect it. */
  readonly encoding?: Encoding | undefined
  readonly separator?: Separator | undefined
  readonly hasHeader: boolean
}

/** A file that could be read as a table. */
export interface ImportFile {
  readonly source: ImportSource
  readonly choices: ReadingChoices
  /** Encoding of the file; undefined for pasted text. */
  readonly encoding: Encoding | undefined
  readonly separator: Separator
  /** Names of the columns; their positions if the file has no header. */
  readonly headers: readonly string[]
  readonly rows: readonly TableRow[]
  /** Number of cells from which the apostrophe that guards against formulas was removed. */
  readonly guarded: number
}

type ProblemKind = Extract<Awaited<ReturnType<typeof readTextFile>>, { problem: string }>['problem']
export type FileProblem =
  | { readonly kind: ProblemKind | 'rows' | 'unreadable' }
  | { readonly kind: 'quotes'; readonly row: number; readonly isOpen: boolean }

export type FileReading = { readonly file: ImportFile } | { readonly problem: FileProblem }

/** @param nameless Returns the name of an unnamed column by its position, counting from 1. */
export async function readImportFile(
  source: ImportSource,
  choices: ReadingChoices,
  nameless: (position: number) => string,
  signal: AbortSignal,
): Promise<FileReading> {
  let text: string
  let encoding: Encoding | undefined
  if (source.kind === 'paste') text = source.text
  else {
    try {
      const read = await readTextFile(source.blob, choices.encoding)
      if (read.problem !== undefined) return { problem: { kind: read.problem } }
      ;({ text, encoding } = read)
    } catch (error) {
      // Browsers throw a DOMException if the file was moved, changed or removed after it was chosen.
      if (error instanceof DOMException) return { problem: { kind: 'unreadable' } }
      throw error
    }
  }
  if (text.trim() === '') return { problem: { kind: 'empty' } }
  try {
    const { separator, rows } = await readCsv(text, { separator: choices.separator, signal })
    const [first, ...rest] = rows
    const data = choices.hasHeader ? rest : rows
    if (!first || data.length === 0) return { problem: { kind: 'rows' } }
    const headers = first.cells.map((cell, index) => {
      const name = choices.hasHeader ? trimEnds(stripFormulaGuard(cell)) : ''
      return name === '' ? nameless(index + 1) : name
    })
    const guarded = data.reduce((sum, { cells }) => sum + cells.filter(isGuarded).length, 0)
    return { file: { source, choices, encoding, separator, headers, rows: data, guarded } }
  } catch (error) {
    if (!(error instanceof BrokenQuotes)) throw error
    return { problem: { kind: 'quotes', row: error.row, isOpen: error.isOpen } }
  }
}

function isGuarded(cell: string): boolean {
  return cell.startsWith("'") && formula.test(cell.slice(1))
}

const sampled = 3
const lookedAt = 200

/** Returns the columns with their first values, as they will be sent. */
export function columnsOf({ headers, rows }: ImportFile): FileColumn[] {
  return headers.map((header, index) => {
    const values = rows
      .slice(0, lookedAt)
      .map(({ cells }) => stripFormulaGuard(cells[index] ?? ''))
      .filter((value) => value.trim() !== '')
    return { header, samples: values.slice(0, sampled) }
  })
}
