import { type NumberSigns, signsOf } from '#contract/reading/numbers.ts'
import { numberLocale } from '../../messages/index.ts'

/** Formats a stored number in the reader's locale, exact and without groups, so that it is read back as itself. */
export function writtenNumber(stored: string, { decimal }: NumberSigns = signsOf(numberLocale)): string {
  return /^-?\d+\.\d+$/.test(stored) ? stored.replace('.', decimal) : stored
}

/**
 * Formats a stored number exactly, as "12,345.50".
 * @param isQuantity Whether the number has a unit. Without one, four digits stay ungrouped, since many are years.
 */
export function groupedNumber(
  stored: string,
  { decimal }: NumberSigns = signsOf(numberLocale),
  isQuantity = false,
): string {
  const [, sign, whole = '', fraction] = /^(-?)(\d{4,})(?:\.(\d+))?$/.exec(stored) ?? []
  // Leading zeros mean that the number is an identifier.
  if (sign === undefined || whole.startsWith('0') || (whole.length === 4 && !isQuantity))
    return writtenNumber(stored, { decimal })
  return `${sign}${groups.format(BigInt(whole))}${fraction === undefined ? '' : decimal + fraction}`
}

const groups = new Intl.NumberFormat(numberLocale, { useGrouping: 'always' })
