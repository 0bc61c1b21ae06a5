import { type Entity, isDataType, type PropertyValue, readValue } from '#contract/index.ts'
import { rawText } from '#contract/reading/written.ts'
import { choiceLabel, propertyLabel, unitOf } from '../../../domain/labels.ts'
import { factOf } from '../../../domain/values/key-facts.ts'
import { entityText, valueText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import { differenceOf } from '../draft/difference.ts'
import type { EntityDraft } from '../draft/entity-draft.ts'
import type { DraftRow } from '../draft/row.ts'
import { isSecret } from '../draft/row.ts'

/** Longest text of both values that a message repeats. */
const maxSaid = 60
/** Longest value that a message keeps on one line, as a phone number broken in two is read as two. */
const maxUnbroken = 20

/** Returns the row of a draft whose only change is that of one property. */
export function onlyRowOf(draft: EntityDraft): DraftRow | undefined {
  const { changes, count } = differenceOf(draft)
  return count === 1 ? changes[0] : undefined
}

/** Describes what was saved: one property with its values, or how many changes, and what somebody else changed. */
export function describeSaved(saved: Entity, sent: EntityDraft, theirs: readonly string[] = []): string {
  const { type, mine, both, oneWithTheirs, theirs: theirsOnly } = entityText.saved
  const { count, isTypeChanged } = differenceOf(sent)
  if (count === 0) return theirsOnly
  const row = onlyRowOf(sent)
  const only = row ? describeRow(saved, row) : count === 1 && isTypeChanged ? type : undefined
  const others = theirs.filter((key) => key !== row?.key)
  const properties = listNames(others.map((key) => propertyLabel(saved.type, key)))
  if (only !== undefined) return others.length > 0 ? oneWithTheirs({ saved: only, properties }) : only
  return others.length > 0 ? both({ count, properties }) : mine({ count })
}

function describeRow({ type }: Entity, row: DraftRow): string {
  const { changed, changedSomehow, added, set, removed } = entityText.saved
  const label = propertyLabel(type, row.key)
  if (row.state === 'removed') return removed({ label })
  const inBrief = (row.state === 'added' ? added : changedSomehow)({ label })
  const isValue = row.state === 'added' || row.aspects.every((aspect) => aspect === 'value')
  if (!isValue || isSecret(row) || row.read === 'unseen' || row.read.issues) return inBrief
  const [before = '', after = ''] = [row.loaded?.value, row.read.value].map((value) =>
    sayValue(row.type, value, type, row.key),
  )
  if (after === '' || after === before || before.length + after.length > maxSaid) return inBrief
  const values = { before: joinWords(before), after: joinWords(after) }
  return before === '' ? set({ label, ...values }) : changed({ label, ...values })
}

const joinWords = (value: string) => (value.length > maxUnbroken ? value : value.replaceAll(' ', '\u00A0'))

/** Says a value as the record shows it, a consent by its status alone; empty if there is none to be said. */
function sayValue(type: string, value: unknown, entityType: string, key: string): string {
  if (value === undefined || value === null || type === 'RELATIONSHIP') return ''
  const choice = choiceLabel(entityType, key, value)
  if (choice !== undefined) return choice
  if (!isDataType(type) || readValue(type, value).issues) return rawText(value)
  if (type === 'BOOLEAN') return value === true ? valueText.true : valueText.false
  if (type === 'PREFERENCE') return valueText.status[(value as PropertyValue['PREFERENCE']).status]
  return factOf(type, value, unitOf(entityType, key))
}
