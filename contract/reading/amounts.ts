import { activeCurrencies, isCurrency, pastCurrencies } from '../currency.ts'
import type { Notation } from './notation.ts'
import { numbersIn } from './numbers.ts'

/** Signs that stand for one or a few currencies. */
const signs: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP'],
  '₹': ['INR'],
  '¥': ['JPY', 'CNY'],
  $: ['USD', 'CAD', 'AUD'],
}

/** Returns the codes of the currencies that a sign or a name may mean. */
export function currenciesIn(text: string, language: string): readonly string[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  const wanted = text.toLowerCase()
  const among = (codes: readonly string[]) => codes.filter((code) => names.of(code)?.toLowerCase() === wanted)
  const active = signs[text] ?? among(activeCurrencies)
  return active.length > 0 ? active : among(pastCurrencies)
}

/** Amount that a text may mean; without a currency if neither the text nor the place beside it has one. */
interface Amount {
  readonly value: string
  readonly currency?: string
}

/**
 * Parses an amount with its currency before or after it. That currency is used if none was `given` beside it, or the
 * same one; otherwise, both are offered. An amount with a currency is likely copied, as from a bill, and may use
 * another number notation.
 */
export function amountsIn(text: string, given: string, notation: Notation): readonly Amount[] {
  const [, minus = '', before] = /^([-−–]?) ?([a-z]{3}|[€£₹¥$])(?![a-z])/i.exec(text) ?? []
  const after = /(?<![a-z])([a-z]{3}|[€£₹¥$])$/i.exec(text)?.[1]
  const sign = before ?? after
  if (sign === undefined)
    return numbersIn(text, notation).map((value) => (given === '' ? { value } : { value, currency: given }))
  if (before !== undefined && after !== undefined) return []
  const rest =
    before === undefined
      ? text.slice(0, -sign.length)
      : minus + text.slice(text.indexOf(before) + sign.length)
  const named = (signs[sign] ?? [sign.toUpperCase()]).filter(isCurrency)
  const codes = named.includes(given)
    ? [given]
    : named.length > 0 && isCurrency(given)
      ? [...named.slice(0, 1), given]
      : named
  const numbers = numbersIn(rest, { ...notation, isCopied: true })
  return codes.flatMap((currency) => numbers.map((value) => ({ currency, value })))
}
