/** How the writer of a text writes numbers and names. */
export interface Notation {
  /** Locale of the numbers, such as `de-DE`. */
  readonly locale: string
  /** Language of the names of months and currencies. */
  readonly language: string
  /** Decimal sign that is known whatever the locale, as of a column of a file; a number then has one meaning. */
  readonly decimal?: string | undefined
  /** Whether the text may come from another country, so that the locale's own decimal sign decides nothing. */
  readonly isCopied?: boolean
}
