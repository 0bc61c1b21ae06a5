import { pastCurrencies } from '#contract/index.ts'
import { language, numberLocale } from '../../messages/index.ts'

const past = new Set(pastCurrencies)

/** Whether a code is that of a currency no longer in use. Case-insensitive. */
export function isPastCurrency(code: string): boolean {
  return past.has(code.trim().toUpperCase())
}

/** Returns the name of a currency, or its code if the browser has no name for it. */
export function currencyName(code: string): string {
  return (names ??= new Intl.DisplayNames(language, { type: 'currency' })).of(code) ?? code
}
let names: Intl.DisplayNames | undefined

/** Formats an amount with all its digits. Intl gets the text itself, so no precision is lost to a float. */
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
