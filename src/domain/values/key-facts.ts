import { type DataType, type Entity, isDataType, type PropertyValue, readValue } from '#contract/index.ts'
import { dateOf, zonedMinute } from '../../ui/time.ts'
import { titlePattern } from '../labels.ts'
import { amount } from './currencies.ts'
import { groupedNumber } from './numbers.ts'
import { rawText } from './raw-text.ts'

/** Formats a stored value of one part for reading. A moment includes its zone, which is not shown elsewhere. */
export function factOf(type: DataType, value: unknown): string {
  if (type === 'CURRENCY') return amount(value as PropertyValue['CURRENCY'])
  if (type === 'DATE') return dateOf(Date.parse(value as string), 'utc')
  if (type === 'DATETIME') return zonedMinute(Date.parse(value as string), 'utc')
  return type === 'NUMBER' || type === 'DECIMAL' ? groupedNumber(rawText(value)) : rawText(value)
}

const shownFacts = 2
const longestFact = 40

/**
 * Returns a few values that distinguish an entity from others of its type, never sensitive ones: its title as defined, or
 * else the first values that can.
 */
export function keyFacts(entity: Entity): readonly string[] {
  const title = titleOf(entity)
  if (title !== '') return [title]
  const facts: string[] = []
  for (const property of entity.properties) {
    if (facts.length === shownFacts) break
    const fact = telling(property)
    if (fact !== undefined) facts.push(fact)
  }
  return facts
}

/** Fills the pattern of the entity type with the values in clear; empty if there is no pattern, or no value for it. */
function titleOf({ type, properties }: Entity): string {
  const pattern = titlePattern(type) ?? ''
  let hasFact = false
  const filled = pattern.replaceAll(/\{([^{}]+)\}/g, (_, key: string) => {
    const property = properties.find((each) => each.key === key)
    const fact = property && telling(property)
    hasFact ||= fact !== undefined
    return fact ?? ''
  })
  // Punctuation between two values would be left over where one of them is missing.
  return hasFact ? filled.replaceAll(/\s+/g, ' ').replaceAll(/^[\s,;:·–-]+|[\s,;:·–-]+$/g, '') : ''
}

function telling({ type, value, sensitive, masked }: Entity['properties'][number]): string | undefined {
  if (sensitive === true || masked === true || value === null || value === undefined || value === '') return
  if (!isDataType(type) || type === 'BOOLEAN' || type === 'RELATIONSHIP' || type === 'PREFERENCE') return
  if (readValue(type, value).issues) return
  const fact = factOf(type, value)
  return fact.length > longestFact ? `${fact.slice(0, longestFact - 1)}…` : fact
}
