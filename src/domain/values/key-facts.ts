import { type DataType, type Entity, isDataType, type PropertyValue, readValue } from '#contract/index.ts'
import { rawText } from '#contract/reading/written.ts'
import { dateOf, zonedMinute } from '../../ui/time.ts'
import { choiceLabel, unitOf } from '../labels.ts'
import { amount } from './currencies.ts'
import { groupedNumber } from './numbers.ts'

/** Formats a stored value of one part for reading, a number with its unit. A moment includes its zone, which is not shown elsewhere. */
export function factOf(type: DataType, value: unknown, unit?: string): string {
  if (type === 'CURRENCY') return amount(value as PropertyValue['CURRENCY'])
  if (type === 'DATE') return dateOf(Date.parse(value as string), 'utc')
  if (type === 'DATETIME') return zonedMinute(Date.parse(value as string), 'utc')
  if (type !== 'NUMBER' && type !== 'DECIMAL') return rawText(value)
  const number = groupedNumber(rawText(value), undefined, unit !== undefined)
  return unit === undefined ? number : `${number}\u00A0${unit}`
}

const shownFacts = 2
const longestFact = 40

/**
 * Returns the key facts in one phrase, "Renault Mégane" or "12 rue Lepic, 75018"; empty for an entity that is named
 * elsewhere, as the user of a `person` is.
 */
export function joinFacts(entity: Entity, isNamedElsewhere = entity.type === 'person'): string {
  const facts = isNamedElsewhere ? [] : keyFacts(entity)
  return facts
    .map((fact, index) => (isPhrase(facts[index - 1] ?? '') ? `, ${fact}` : ` ${fact}`))
    .join('')
    .trim()
}

/** Whether a fact would run into the next one without a comma, as a street does, but a brand does not. */
const isPhrase = (fact: string) => /\s/.test(fact) && (/\d/.test(fact) || fact.split(/\s+/).length > 2)

/** Returns a few values that distinguish an entity from others of its type, never sensitive ones, in the words of their definitions. */
export function keyFacts({ type: entityType, properties }: Entity): readonly string[] {
  const facts: string[] = []
  for (const { key, type, value, sensitive, masked } of properties) {
    if (facts.length === shownFacts) break
    if (sensitive === true || masked === true || value === null || value === undefined || value === '')
      continue
    if (!isDataType(type) || type === 'BOOLEAN' || type === 'RELATIONSHIP' || type === 'PREFERENCE') continue
    if (readValue(type, value).issues) continue
    const fact = choiceLabel(entityType, key, value) ?? factOf(type, value, unitOf(entityType, key))
    facts.push(fact.length > longestFact ? `${fact.slice(0, longestFact - 1)}…` : fact)
  }
  return facts
}
