import { type Entity, isDataType, type PropertyValue, readValue } from '#contract/index.ts'

import { amount } from './currencies.ts'
import { draftOf } from './draft.ts'

const shownFacts = 2
const longestFact = 40

/** A few values that tell one entity from another of its type: never a sensitive one. */
export function keyFacts({ properties }: Entity): readonly string[] {
  const facts: string[] = []
  for (const { type, value, sensitive, masked } of properties) {
    if (facts.length === shownFacts) break
    if (sensitive === true || masked === true || value === null || value === undefined || value === '')
      continue
    if (!isDataType(type) || type === 'BOOLEAN' || type === 'RELATIONSHIP' || type === 'PREFERENCE') continue
    if (readValue(type, value).issues) continue
    const fact = type === 'CURRENCY' ? amount(value as PropertyValue['CURRENCY']) : draftOf(type, value).text
    facts.push(fact.length > longestFact ? `${fact.slice(0, longestFact - 1)}…` : fact)
  }
  return facts
}
