/** The language of the catalogue, for `Intl` and for `<html lang>`. */
export const language = 'en'

const pluralRules = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(language)

/** A count with separators: 8,031. */
export function number(value: number): string {
  return numbers.format(value)
}

/** `counted(3, { one: 'change', other: 'changes' })` is "3 changes". */
export function counted(
  count: number,
  forms: { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>,
): string {
  return `${number(count)} ${forms[pluralRules.select(count)] ?? forms.other}`
}
