import { activeCurrencies, pastCurrencies } from '#contract/index.ts'

import { language, numberLocale } from '../../messages/index.ts'

const past = new Set(pastCurrencies)

/** Whether a code is one that amounts are no longer paid in, in any letters. */
export function isPastCurrency(code: string): boolean {
  return past.has(code.trim().toUpperCase())
}

/** Names a currency; the code itself where the browser has no name for it. */
export function currencyName(code: string): string {
  return (names ??= new Intl.DisplayNames(language, { type: 'currency' })).of(code) ?? code
}
let names: Intl.DisplayNames | undefined

/** The codes of a name, in any letters: of currencies in use where there are any, else of those of the past. */
export function currenciesNamed(name: string): readonly string[] {
  const wanted = name.toLowerCase()
  const among = (codes: readonly string[]) =>
    codes.filter((code) => currencyName(code).toLowerCase() === wanted)
  const active = among(activeCurrencies)
  return active.length > 0 ? active : among(pastCurrencies)
}

/** An amount with its separators and all its digits: the text goes to Intl as it is, never through a float. */
export function amount({ currency, value }: { readonly currency: string; readonly value: string }): string {
  const digits = value.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(numberLocale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value as Intl.StringNumericLiteral)
}
