const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫'

/**
 * Matches cells that a spreadsheet might run as a formula (OWASP, "CSV Injection"): they start with = + - @, including
 * full-width and small forms and after spaces or invisible characters, or with a tab or a line break. Exports prefix
 * such a cell with an apostrophe, and imports remove it. Existing apostrophes before such a text count as part of it,
 * so that `'=x` and `=x` stay distinct and every text survives a round trip. Plain negative numbers are exempt: -5 is
 * harmless and stays a number, but +49 30 1234 would lose its plus.
 */
export const formula = new RegExp(
  `^'*(?!-\\d+(?:\\.\\d+)?$)(?:[\\t\\r\\n]|[\\s\\p{Cc}\\p{Cf}]*[${signs}])`,
  'u',
)

/** Removes the apostrophe that guards a cell. */
export function stripFormulaGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}
