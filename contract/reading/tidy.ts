import { inLatin } from './numbers.ts'

// Texts as people and other products write them, in the notation that `readText` knows.

/**
 * Writes a minus behind a number, or brackets around it, before it. The dash of a price without cents goes (`12,–`), and so do
 * groups of two digits, as in India.
 */
export function tidyNumber(written: string): string {
  const text = written
    .replace(/(\d)[.,][-−–](?!\d)/, '$1')
    .replace(/^([€£$¥]?) ?\((.+)\)$/, '-$1$2')
    .replace(/^(.*\d) ?[-−–]((?: ?[€£$¥]| ?[A-Z]{3})?)$/, '-$1$2')
    .replace(/^([+-]?\d+),(\d+e[+-]?\d+)$/i, '$1.$2')
  return text.replace(/(?<!\d)[1-9]\d?(?:,\d\d)+,\d{3}(?!\d)/, (number) => number.replaceAll(',', ''))
}

/** Signs and words of currencies, with the code of the only one that each can be. */
const spelledCurrencies: readonly (readonly [RegExp, string])[] = [
  [/\beuros?\b/i, 'EUR'],
  [/US\$|\$US\b/, 'USD'],
  [/R\$/, 'BRL'],
  [/NZ\$/, 'NZD'],
  [/HK\$/, 'HKD'],
  [/\bS\$|SG\$/, 'SGD'],
  [/CA?\$/, 'CAD'],
  [/AU?\$/, 'AUD'],
  [/\bS?Fr\.(?= ?\d)|(?<=\d ?)S?Fr\.?$/, 'CHF'],
  [/zł/i, 'PLN'],
  [/Kč/i, 'CZK'],
  [/\bDM\b/, 'DEM'],
  [/\bFt\b/, 'HUF'],
  [/\blei\b/i, 'RON'],
  [/лв\.?/i, 'BGN'],
  [/₺|\bTL\b/, 'TRY'],
  [/₽|руб(?:\.|лей)?/i, 'RUB'],
  [/₴|грн\.?/i, 'UAH'],
  [/円/, 'JPY'],
  [/₩/, 'KRW'],
  [/₹/, 'INR'],
  [/₪/, 'ILS'],
  [/₫/, 'VND'],
  [/฿/, 'THB'],
  [/₦/, 'NGN'],
  [/₱/, 'PHP'],
  [/₸/, 'KZT'],
]
/** Crowns of Scandinavia. */
const crowns = /(?<!\p{L})kr\.?(?!\p{L})/iu
export const crownCodes = ['SEK', 'NOK', 'DKK', 'ISK']
export const hasCrowns = (text: string) => crowns.test(text)

export function tidyAmount(text: string): string {
  const wide = text.replaceAll('￥', '¥')
  return spelledCurrencies.reduce(
    (tidy, [pattern, code]) => tidy.replace(pattern, code),
    tidyNumber(wide.replace(crowns, '').trim()),
  )
}

const weekdays = new Set(
  ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']
    .flatMap((language) =>
      (['long', 'short'] as const).flatMap((weekday) => {
        const name = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
        return Array.from({ length: 7 }, (_, day) => name.format(Date.UTC(2024, 0, day + 1)).toLowerCase())
      }),
    )
    .map((name) => name.replace('.', '')),
)
// Tuesday in French, Spanish and Italian, and March in most languages.
weekdays.delete('mar')

/** Removes what says no more than a date: its day of the week, an article, midnight; and writes that of East Asia with dots. */
export function tidyDate(written: string): string {
  const text = inLatin(written)
    .replace(/^(\p{L}{2,})[.,]{0,2} /u, (all, word: string) => (weekdays.has(word.toLowerCase()) ? '' : all))
    .replace(/^(?:le|el|il|den|am|der) (?=\d)/i, '')
    .replace(/ ?(?:г\.?|года)$/, '')
    .replace(/[T ,] ?0{1,2}:00(?::00(?:\.0+)?)?(?: ?(?:Z|UTC|GMT|\+00:?00))?$/, '')
    .replace(/[ ,] ?12:00(?::00)? ?AM$/i, '')
    .replace(/^(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]$/, '$1-$2-$3')
    .replace(/^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.?$/, '$1-$2-$3')
  return text
    .replace(/^(\d{1,2})(?:er|º|°|ª) /, '$1 ')
    .replaceAll(/ (?:de|del|di) /g, ' ')
    .replace(/\bMrz\b/i, 'März')
    .replace(/\bmrt\b/i, 'maart')
    .replace(/Jänner/i, 'Januar')
}

/** Writes a time without the words around it. */
export const tidyTime = (text: string) =>
  inLatin(text)
    .replace(/^(\d{1,2}) Uhr$/i, '$1h')
    .replace(/ ?Uhr$/i, '')
    .replace(/(?<=\d[:.]\d{2}[:.]\d{2}\.\d{3})\d+/, '')
    .replace(/ (?:à|um|at|alle|om|kl\.?) (?=\d)/, ' ')
    .replace(/^(\d{4})(\d\d)(\d\d)T?(\d\d)(\d\d)(\d\d)(Z?)$/, '$1-$2-$3 $4:$5:$6$7')

/** Returns the address in brackets, in quotes, or before a comment, a link or, in Google Contacts, further ones. */
export function tidyAddress(text: string): string {
  const [, linked] = /^([^\s#]+@[^\s#]+)#(?:mailto:\S*#?)?$/i.exec(text) ?? []
  return (linked ?? text.replace(/ ::: .*$/, ''))
    .replaceAll('＠', '@')
    .replace(/^(\S+@\S+) \([^()]*\)$/, '$1')
    .replace(/^(["'(])(.+)(["')])$/, '$2')
}
