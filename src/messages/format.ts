/** The language of the catalogue, for `Intl` and for `<html lang>`. */
export const language = 'en'

/**
 * For dates: in the words of the catalogue and the order of the country that the browser is set to. In Germany, `en-DE`:
 * "22 Nov 2026".
 */
export const dateLocale = valid(() => {
  const wanted = `${language}-${new Intl.Locale(navigator.language).maximize().region ?? 'US'}`
  // The browser has no English formats for this region, so international English is used.
  return Intl.DateTimeFormat(wanted).resolvedOptions().locale === wanted ? wanted : `${language}-001`
})

/** For numbers, which have no words: as in the browser's own language, in the digits of the catalogue. "8.031" in German. */
export const numberLocale = valid(() =>
  new Intl.Locale(navigator.language, { numberingSystem: 'latn' }).toString(),
)

const numbers = new Intl.NumberFormat(numberLocale)

/** Some browsers have a name of their own for no language. */
function valid(locale: () => string): string {
  try {
    return locale()
  } catch {
    return language
  }
}

/** A count with separators: "8,031". */
export function number(value: number): string {
  return numbers.format(value)
}
