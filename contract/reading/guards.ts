const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫'

/**
 * Matches cells that a spreadsheet might run as a formula (OWASP, "CSV Injection"): they start with = + - @, including
 * full-width and small forms and after spaces or invisible characters, or with a tab or a line break. Files that we
 * write prefix such a cell with an apostrophe, and readers remove it. Existing apostrophes before such a text count as
 * part of it, so that `'=x` and `=x` stay distinct and every text survives a round trip. Plain negative numbers are
 * exempt: -5 is harmless and stays a number, but +49 30 1234 would lose its plus.
 */
export const formula = new RegExp(
  `^'*(?!-\\d+(?:\\.\\d+)?$)(?:[\\t\\r\\n]|[\\s\\p{Cc}\\p{Cf}]*[${signs}])`,
  'u',
)

/** Digits as in `0038` or `0170 123-45`, which people keep as text in a spreadsheet by an apostrophe. */
const digits = /^'*\d[\d ()/.,+-]*$/

/** Prefixes an apostrophe to a cell that would run as a formula, or whose own apostrophe a reader would remove. */
export function guardCell(text: string): string {
  return formula.test(text) || (text.startsWith("'") && digits.test(text)) ? `'${text}` : text
}

/** Prefixes an apostrophe to a text of which a reader would remove a part, where nothing runs as a formula. */
export const guardText = (text: string) => (stripGuard(text) === text ? text : `'${text}`)

/**
 * Returns a cell of a file as another file has it, with its guard: without it, a spreadsheet would read `'0038` as the
 * number 38.
 */
export function keepGuard(cell: string): string {
  const meant = stripGuard(cell)
  return meant !== cell && digits.test(meant) ? `'${meant}` : guardCell(meant)
}

/** Removes what guards a cell from being run as a formula or read as a number: `'=x`, `'0038`, `="0038"`. */
export function stripGuard(cell: string): string {
  if (cell.startsWith("'")) {
    const rest = cell.slice(1)
    return formula.test(rest) || digits.test(rest) ? rest : cell
  }
  const [, shown] = /^="((?:[^"]|"")*)"$/.exec(cell) ?? []
  return shown === undefined ? cell : shown.replaceAll('""', '"')
}
