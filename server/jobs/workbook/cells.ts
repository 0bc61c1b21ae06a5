import { dayMs, type UserColumn } from '#contract/index.ts'
import { userCell, valueCell } from '#contract/reading/cells.ts'
import { guardText } from '#contract/reading/guards.ts'

/** Cell of a workbook: a text, a truth, or a number and how it is shown. An empty text is no cell. */
export type SheetCell = string | boolean | { readonly number: string | number; readonly shown: Shown }

/** Way in which a number is shown: a moment, or a number with so many decimals. */
type Shown = 'title' | 'day' | 'second' | 'millisecond' | number

/** Most decimals of numbers, which are as many as digits. */
const mostDigits = 15

/** Codes of the formats, by their index in the styles of the workbook. A moment says that it is in UTC. */
const codes: readonly (readonly [shown: Shown, code: string])[] = [
  ['title', 'General'],
  ['day', 'yyyy\\-mm\\-dd'],
  ['second', 'yyyy\\-mm\\-dd\\ hh:mm:ss\\Z'],
  ['millisecond', 'yyyy\\-mm\\-dd\\ hh:mm:ss.000\\Z'],
  ...Array.from({ length: mostDigits }, (_, at) => [at + 1, `0.${'0'.repeat(at + 1)}`] as const),
]
/** Index of the style in which a number is shown; 0 is the usual one. */
const styles = new Map<Shown, number>(codes.map(([shown], at) => [shown, at + 1]))
/** Number of the first format that is none of the spreadsheet's own. */
const ownFormats = 164

/** Styles of the workbook. The titles of columns are bold. */
export const stylesXml = [
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="${codes.length - 1}">`,
  ...codes.slice(1).map(([, code], at) => `<numFmt numFmtId="${ownFormats + at}" formatCode="${code}"/>`),
  '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${codes.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`,
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  ...codes
    .slice(1)
    .map(
      (_, at) =>
        `<xf numFmtId="${ownFormats + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    ),
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('')

/** Most characters of a text in a cell. */
const mostCharacters = 32_767

/** Whether a text is longer than a cell can show, so that its end is left out. */
export const isShortened = (cell: SheetCell) => typeof cell === 'string' && cell.length > mostCharacters

export const userSheetCell = (user: Parameters<typeof userCell>[0], column: UserColumn): SheetCell => {
  const value = user[column]
  if (typeof value === 'boolean') return value
  const text = userCell(user, column)
  if (column !== 'since' && column !== 'created') return guardText(text)
  // The moments of a user have no zone, and are in UTC.
  return momentCell(text === '' || text.endsWith('Z') ? text : `${text}Z`)
}

/** Returns a value as a number, a date or a truth if a spreadsheet can have it without a loss, and else as text. */
export function valueSheetCell(
  { type, value }: { readonly type: string; readonly value?: unknown },
  nowMs: number,
): SheetCell {
  const text = valueCell({ type, value }, nowMs)
  if (type === 'BOOLEAN' && typeof value === 'boolean') return value
  if (type === 'NUMBER' || type === 'DECIMAL') return exactNumber(text)
  return type === 'DATE' || type === 'DATETIME' ? momentCell(text) : guardText(text)
}

function exactNumber(text: string): SheetCell {
  const [, whole = '', decimals = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const digits = `${whole}${decimals}`.replace(/^0+/, '').length
  const isNegativeZero = digits === 0 && text.startsWith('-')
  const isExact = whole !== '' && digits <= mostDigits && decimals.length <= mostDigits && !isNegativeZero
  return isExact ? { number: text, shown: decimals.length } : guardText(text)
}

/** First day whose number all spreadsheets agree on. */
const firstDay = Date.UTC(1900, 2, 1)
const dayZero = Date.UTC(1899, 11, 30)

/** Returns a date, or a moment in UTC, as a number of days. */
function momentCell(text: string): SheetCell {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.test(text)
  const ms = isDay || isMoment ? Date.parse(text) : Number.NaN
  // A day that there is not, such as 30 February, is taken for a later one.
  if (!(ms >= firstDay) || new Date(ms).getUTCDate() !== Number(text.slice(8, 10))) return guardText(text)
  const shown = isDay ? 'day' : ms % 1000 === 0 ? 'second' : 'millisecond'
  return { number: (ms - dayZero) / dayMs, shown }
}

export const titleXml = (title: string, place: string) => textXml(title, place, styles.get('title'))

export function cellXml(cell: SheetCell, place: string): string {
  if (typeof cell === 'string') return cell === '' ? '' : textXml(cell, place)
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  const style = styles.get(cell.shown)
  return `<c r="${place}"${style === undefined ? '' : ` s="${style}"`}><v>${cell.number}</v></c>`
}

function textXml(text: string, place: string, style?: number): string {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…`.toWellFormed() : text
  const formatted = style === undefined ? '' : ` s="${style}"`
  return `<c r="${place}" t="inlineStr"${formatted}><is><t xml:space="preserve">${escapeText(shown)}</t></is></c>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Writes signs that XML cannot have, or changes, by their number, as `_x000D_`, and what looks like one likewise. */
const escapeText = (text: string) =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- These are the signs in question.
    .replaceAll(
      /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll(/[&<>]/g, (sign) => entities[sign] ?? '')
