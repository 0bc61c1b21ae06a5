import { type Entity, newPropertyKey, type PropertyInput, trimEnds } from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { api, etagOf, type Keyed, type Reasoned } from '../../api/index.ts'
import type { RowIssues } from '../../domain/failures/pointers.ts'
import { applyKnown, type WrittenProperty } from '../../domain/known-properties/known-property.ts'
import { isUnchecked, type KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { requestMasked } from '../../domain/queries/entities.ts'
import { type Draft, emptyDraft, retype, valueOf } from '../../domain/values/draft.ts'
import { sameJson } from '../../domain/values/same-json.ts'
import { entityText, knownPropertyText } from '../../messages/index.ts'

export interface DetailRow extends WrittenProperty {
  readonly id: string
  readonly draft: Draft
}

export type DetailIssues = ReadonlyMap<string, RowIssues>

export interface Detail {
  readonly rowId: string
  readonly property: PropertyInput
}

export function createRow(): DetailRow {
  return { id: crypto.randomUUID(), key: '', type: 'TEXT', sensitive: false, draft: emptyDraft }
}

/**
 * Applies the type and sensitivity that other users' properties with this key have.
 * @param isDone Whether a value that was typed before they were known gets their type too. It is not while it is being
 * typed, since its input would change.
 */
export function adoptKnown(row: DetailRow, known: KnownProperties, isDone = false): DetailRow {
  const adopted = applyKnown(row, known.of(row.key), isDone || isBlank(row.draft))
  return adopted.type === row.type
    ? adopted
    : { ...adopted, draft: retype(row.draft, row.type, adopted.type) }
}

export function readDetails(rows: readonly DetailRow[], known: KnownProperties) {
  const used = rows.filter(({ key, draft }) => key !== '' || !isBlank(draft))
  const issues = new Map<string, RowIssues>()
  const details: readonly Detail[] = used.flatMap((row, index): Detail[] => {
    const { id, key, type, sensitive, draft } = row
    const isTaken = used.slice(0, index).some((other) => trimEnds(other.key) === trimEnds(key))
    const isUnsure = isUnchecked(known, row)
    const keyIssue =
      key === ''
        ? entityText.keyMissing
        : isTaken
          ? entityText.keyTaken
          : (newPropertyKey.safeParse(key).error?.issues[0]?.message ??
            (isUnsure && known.state === 'failed' ? knownPropertyText.uncheckedIssue : undefined))
    const read = valueOf(type, draft)
    if (keyIssue === undefined && !isUnsure && !read.issues)
      return [
        {
          rowId: id,
          property: { key: trimEnds(key), type: type as PropertyInput['type'], sensitive, value: read.value },
        },
      ]
    // A row that waits for the known properties blocks sending, but has no text because the input is not at fault.
    issues.set(id, {
      ...(keyIssue !== undefined && { key: keyIssue }),
      ...(read.issues && { value: read.issues }),
    })
    return []
  })
  return { details, issues }
}

export interface DetailChange extends Detail {
  /** Property whose value is replaced; undefined if the key is new. */
  readonly before?: Entity['properties'][number]
  /** Whether both values stay hidden. */
  readonly isSecret: boolean
  readonly becomesSensitive: boolean
}

export interface DetailPlan {
  /** Existing `person` entity; undefined if there is none and one will be created. */
  readonly person: { readonly id: string; readonly etag: string | undefined } | undefined
  readonly changes: readonly DetailChange[]
}

/** Reads the user's first (oldest) `person` entity and computes the effect of the details. */
export async function planDetails(userId: string, details: readonly Detail[]): Promise<DetailPlan> {
  const query = requestMasked()
  const all = await api.listEntities({ params: { user_id: userId }, query })
  const first = all.find(({ type }) => type === 'person')
  // A list has no ETags for its entities, so read the entity itself.
  const person = first && (await api.getEntity({ params: { user_id: userId, entity_id: first.id }, query }))
  return {
    person: person && { id: person.id, etag: etagOf(person) },
    changes: details.flatMap((detail) => changeOf(detail, person)),
  }
}

function changeOf(detail: Detail, person: Entity | undefined): DetailChange[] {
  const { key, type, value, sensitive = false } = detail.property
  const before = person?.properties.find((property) => property.key === key)
  if (!before) return [{ ...detail, isSecret: sensitive, becomesSensitive: false }]
  const wasSensitive = before.sensitive === true
  const becomesSensitive = sensitive && !wasSensitive
  const isSame = before.type === type && 'value' in before && sameJson(before.value, value)
  if (isSame && !becomesSensitive) return []
  // Adding a value must not remove the sensitive mark as a side effect, so the mark is left out of the request.
  const { sensitive: _, ...unmarked } = detail.property
  return [
    {
      ...detail,
      property: wasSensitive ? unmarked : detail.property,
      before,
      isSecret: wasSensitive || sensitive,
      becomesSensitive,
    },
  ]
}

export function isSamePlan(a: DetailPlan, b: DetailPlan): boolean {
  const essence = ({ person, changes }: DetailPlan) => ({
    person: person?.id,
    changes: changes.map(({ property, before }) => ({ property, before: before && { ...before, id: '' } })),
  })
  return sameJson(essence(a), essence(b))
}

/** Carries out a plan. After a lost response, a new plan leaves out the changes already made. */
export async function carryOut(userId: string, plan: DetailPlan, keyed: Keyed & Reasoned): Promise<void> {
  const { person, changes } = plan
  if (changes.length === 0) return
  const body = { type: 'person', properties: changes.map(({ property }) => property) }
  if (!person) await api.createEntity({ params: { user_id: userId }, body, ...keyed })
  else
    await api.patchEntity({
      params: { user_id: userId, entity_id: person.id },
      body,
      ...(person.etag !== undefined && { ifMatch: person.etag }),
      ...keyed,
    })
}
