import { language, numberLocale } from '../../messages/index.ts'

export interface Currency {
  readonly code: string
  readonly name: string
}

let known: readonly Currency[] | undefined

/** The ISO 4217 codes that the browser knows, with their names. */
export function currencies(): readonly Currency[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  return (known ??= Intl.supportedValuesOf('currency').map((code) => ({
    code,
    name: names.of(code) ?? code,
  })))
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
