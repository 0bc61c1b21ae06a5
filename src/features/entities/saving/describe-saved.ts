import type { Entity } from '#contract/index.ts'
import { propertyLabel } from '../../../domain/labels.ts'
import { draftOf, retype } from '../../../domain/values/draft.ts'
import { entityText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import { differenceOf } from '../draft/difference.ts'
import type { EntityDraft } from '../draft/entity-draft.ts'
import type { DraftRow } from '../draft/row.ts'
import { isSecret } from '../draft/row.ts'

/** Longest text of both values that a message repeats. */
const maxSaid = 60

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
  const [before, after] = [row.loaded?.value, row.read.value].map(
    (value) => retype(draftOf(row.type, value), row.type, 'TEXT').text,
  )
  if (after === undefined || after === '' || (before ?? '').length + after.length > maxSaid) return inBrief
  return before === undefined || before === '' ? set({ label, after }) : changed({ label, before, after })
}
