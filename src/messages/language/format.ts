/** Language of the catalogue, for `Intl`. The `lang` of index.html must be the same. */
export const language = 'en'

/** Locale for dates: the catalogue's language with the browser's country. In Germany `en-DE`, as in "22 Nov 2026". */
export const dateLocale = valid(() => {
  const wanted = `${language}-${new Intl.Locale(navigator.language).maximize().region ?? 'US'}`
  // If the browser has no English formats for this region, international English is used.
  return Intl.DateTimeFormat(wanted).resolvedOptions().locale === wanted ? wanted : `${language}-001`
})

/**
 * Locale for numbers, which contain no words: the browser's own language with the catalogue's digits. In German
 * "8.031".
 */
export const numberLocale = valid(() =>
  new Intl.Locale(navigator.language, { numberingSystem: 'latn' }).toString(),
)

const numbers = new Intl.NumberFormat(numberLocale)

/** Falls back if the browser reports an invalid language tag, as some do when no language is set. */
function valid(locale: () => string): string {
  try {
    return locale()
  } catch {
    return language
  }
}

/** Formats a count with separators: "8,031". */
export function number(value: number): string {
  return numbers.format(value)
}
