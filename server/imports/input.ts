import type { Encoding, ImportMapping, ImportView, Separator } from '#contract/import.ts'
import type { TableRow } from '#contract/reading/table.ts'

/** Reading of a file: what was found, or what a person had chosen. */
export interface FileFound {
  /** Undefined for a workbook. */
  readonly encoding?: Encoding | undefined
  readonly separator?: Separator | undefined
  /** Name of the sheet that was read, and those of all that are visible; undefined for a text. */
  readonly sheet?: string | undefined
  readonly sheets?: readonly string[] | undefined
  /** True if each line is an object, whose members name the columns. */
  readonly lines?: true | undefined
  /** Number of the row with the names of the columns; undefined if there is none. */
  readonly header: number | undefined
  readonly rows: number
  /** Number of cells with a guard against formulas or numbers, which are read without it. */
  readonly guarded: number
  /** Names that several columns have. */
  readonly doubled: readonly string[]
}

export interface FileColumn {
  /** Empty for a column without a name. */
  readonly header: string
  /** First different values, without their guards. */
  readonly samples: readonly string[]
  /** Data type that the first values look like. */
  readonly type: string
}

/** Input of an import, kept sealed as the value of its job. */
export interface ImportInput {
  readonly found: FileFound
  readonly columns: readonly FileColumn[]
  /** First rows of the file, one of which may have the names of the columns; long cells are cut. */
  readonly firstRows: readonly TableRow[]
  /** Absent before the file is mapped. */
  readonly mapping?: ImportMapping
  readonly readings?: ImportView['readings']
}

const longestShown = 100

/** Returns a cell as it is shown: a long one is cut. */
export const cutShown = (cell: string) =>
  cell.length > longestShown ? `${cell.slice(0, longestShown)}…`.toWellFormed() : cell
