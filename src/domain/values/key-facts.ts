import { type DataType, type Entity, isDataType, type PropertyValue, readValue } from '#contract/index.ts'
import { rawText } from '#contract/reading/written.ts'
import { dateOf, zonedMinute } from '../../ui/time.ts'
import { amount } from './currencies.ts'
import { groupedNumber } from './numbers.ts'

/** Formats a stored value of one part for reading. A moment includes its zone, which is not shown elsewhere. */
export function factOf(type: DataType, value: unknown): string {
  if (type === 'CURRENCY') return amount(value as PropertyValue['CURRENCY'])
  if (type === 'DATE') return dateOf(Date.parse(value as string), 'utc')
  if (type === 'DATETIME') return zonedMinute(Date.parse(value as string), 'utc')
  return type === 'NUMBER' || type === 'DECIMAL' ? groupedNumber(rawText(value)) : rawText(value)
}

const shownFacts = 2
const longestFact = 40

/** Returns a few values that distinguish an entity from others of its type, never sensitive ones. */
export function keyFacts({ properties }: Entity): readonly string[] {
  const facts: string[] = []
  for (const { type, value, sensitive, masked } of properties) {
    if (facts.length === shownFacts) break
    if (sensitive === true || masked === true || value === null || value === undefined || value === '')
      continue
    if (!isDataType(type) || type === 'BOOLEAN' || type === 'RELATIONSHIP' || type === 'PREFERENCE') continue
    if (readValue(type, value).issues) continue
    const fact = factOf(type, value)
    facts.push(fact.length > longestFact ? `${fact.slice(0, longestFact - 1)}…` : fact)
  }
  return facts
}
