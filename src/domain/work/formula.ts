const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫'

/**
 * Cells that a spreadsheet might run as a formula (OWASP, "CSV Injection"): they begin with = + - @, also in their wide
 * and small forms and behind spaces or invisible characters, or with a tab or a line break. On the way out such a cell
 * gets an apostrophe in front, on the way in it loses it. Apostrophes that stand before such a text count as part of
 * it, so that `'=x` and `=x` stay apart, and every text comes back as it was. A plain negative number is left alone:
 * -5 runs nothing and stays a number, while +49 30 1234 would lose its plus.
 */
export const formula = new RegExp(
  `^'*(?!-\\d+(?:\\.\\d+)?$)(?:[\\t\\r\\n]|[\\s\\p{Cc}\\p{Cf}]*[${signs}])`,
  'u',
)

/** Returns a cell without the apostrophe that guards it. */
export function stripFormulaGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}
