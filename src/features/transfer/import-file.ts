import { trimEnds } from '#contract/index.ts'
import { BrokenQuotes, readCsv, type Separator, type TableRow } from '../../domain/work/csv.ts'
import { stripFormulaGuard } from '../../domain/work/formula.ts'
import { importColumnsText } from '../../messages/index.ts'
import type { FileColumn } from './mapping.ts'

export type ImportSource =
  | { readonly kind: 'file'; readonly name: string; readonly blob: Blob }
  | { readonly kind: 'paste'; readonly text: string }

export interface ReadingChoices {
  /** Encoding chosen by the person; undefined to detect it. */
  readonly encoding?: Encoding | undefined
  readonly separator?: Separator | undefined
  readonly hasHeader: boolean
}

export interface ImportFile {
  readonly source: ImportSource
  readonly choices: ReadingChoices
  /** Encoding of the file; undefined for pasted text. */
  readonly encoding: Encoding | undefined
  readonly separator: Separator
  /** Names of the columns, made from the position for a column without a name. */
  readonly headers: readonly string[]
  readonly rows: readonly TableRow[]
  /** Number of cells with an apostrophe that guards against formulas, which the import ignores. */
  readonly guarded: number
}

type TextProblem = 'large' | 'workbook' | 'binary' | 'encoding'
export type FileProblem =
  | { readonly kind: TextProblem | 'empty' | 'rows' | 'unreadable' }
  | { readonly kind: 'quotes'; readonly row: number; readonly isOpen: boolean }

export type FileReading = { readonly file: ImportFile } | { readonly problem: FileProblem }

export async function readImportFile(
  source: ImportSource,
  choices: ReadingChoices,
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
      return name === '' ? importColumnsText.nameless({ position: index + 1 }) : name
    })
    const guarded = data.reduce(
      (sum, { cells }) => sum + cells.filter((cell) => stripFormulaGuard(cell) !== cell).length,
      0,
    )
    return { file: { source, choices, encoding, separator, headers, rows: data, guarded } }
  } catch (error) {
    if (!(error instanceof BrokenQuotes)) throw error
    return { problem: { kind: 'quotes', row: error.row, isOpen: error.isOpen } }
  }
}

const sampled = 3
const lookedAt = 200

/** Returns the columns with their first values, without the apostrophes that guard against formulas. */
export function columnsOf({ headers, rows }: ImportFile): FileColumn[] {
  return headers.map((header, index) => {
    const values = rows
      .slice(0, lookedAt)
      .map(({ cells }) => stripFormulaGuard(cells[index] ?? ''))
      .filter((value) => value.trim() !== '')
    return { header, samples: values.slice(0, sampled) }
  })
}

/** Supported encodings. Windows-1252 accepts any bytes, so it cannot be detected and must be chosen by the person. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
type Encoding = (typeof encodings)[number]

type ReadFile =
  | { readonly encoding: Encoding; readonly text: string; readonly problem?: never }
  | { readonly problem: TextProblem }

/** Limited because the rows and their verdicts stay in memory. */
const maxFileBytes = 64 * 1024 * 1024

/** @param chosen Encoding chosen by the person; undefined to use the byte order mark, or else UTF-8. */
async function readTextFile(file: Blob, chosen?: Encoding): Promise<ReadFile> {
  if (file.size > maxFileBytes) return { problem: 'large' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const starts = (...marks: readonly number[]) => marks.every((byte, index) => bytes[index] === byte)
  // Signatures of a ZIP archive (the workbook format of Excel and LibreOffice) and of Excel's older format.
  if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0)) return { problem: 'workbook' }
  const encoding = chosen ?? (starts(0xff, 0xfe) ? 'utf-16le' : starts(0xfe, 0xff) ? 'utf-16be' : 'utf-8')
  let text: string
  try {
    // The decoder removes the byte order mark.
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return { problem: bytes.includes(0) ? 'binary' : 'encoding' }
  }
  return text.includes('\0') ? { problem: 'binary' } : { encoding, text }
}
