import { definitionText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'

/** Returns a period such as `P10Y` in words: "10 years"; a text that is none as it is. */
export function describeRetention(period: string): string {
  const parts = [...period.matchAll(/(\d+)([YMWD])/g)].map(([, count, unit]) => ({
    count: Number(count),
    unit: unit as keyof typeof definitionText.time,
  }))
  const counted = parts.filter(({ count }) => count > 0)
  if (parts.length === 0) return period
  return listNames(
    (counted.length > 0 ? counted : parts.slice(-1)).map(({ count, unit }) =>
      definitionText.time[unit]({ count }),
    ),
  )
}
