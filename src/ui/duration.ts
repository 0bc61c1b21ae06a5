import { language, numberLocale } from '../messages/language/format.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Formats a duration: "120 ms", "1.3 sec", "4 hr". Values of 10 or more and milliseconds have no decimals. */
export function duration(ms: number): string {
  const [unit, lengthMs] = units.find(([, length]) => ms >= length) ?? (['millisecond', 1] as const)
  const value = ms / lengthMs
  const maximumFractionDigits = value < 10 && unit !== 'millisecond' ? 1 : 0
  const number = new Intl.NumberFormat(numberLocale, { maximumFractionDigits }).format(value)
  // The unit follows the catalogue's language, independent of the number format.
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits,
    useGrouping: false,
  })
    .formatToParts(value)
    .map(({ type, value: part }) =>
      type === 'literal' || type === 'unit' ? part : type === 'integer' ? number : '',
    )
    .join('')
}
