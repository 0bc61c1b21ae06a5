import type { NounParts } from '../../messages/filter-sentence.ts'
import { filterSentenceText } from '../../messages/index.ts'
import { say } from '../../messages/phrase.ts'

/** Returns the noun for an entity type: "a car" (one), "an entity of type race horse" (one), "cars" (counted). */
export function nounOf(type: string, form: NounParts['form'], count = 1): string {
  const { nouns, otherNoun } = filterSentenceText
  const noun = Object.hasOwn(nouns, type) ? nouns[type] : undefined
  return noun === undefined
    ? say(otherNoun, { form, count, type: type.replaceAll(/[_-]+/g, ' ') })
    : say(noun, { form, count })
}
