import { type Entity, newPropertyKey, type PropertyInput, trimEnds } from '#contract/index.ts'
import { applyKnown, type WrittenProperty } from '../../domain/known-properties/known-property.ts'
import { isUnchecked, type KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { api, etagOf, isFull, type Keyed, type Reasoned } from '../../api/index.ts'
import { sameJson } from '../../domain/values/same-json.ts'
import type { RowIssues } from '../../domain/failures/pointers.ts'
import { knownPropertyText, newUserText } from '../../messages/index.ts'
import { reading } from '../../domain/queries/entities.ts'
import { type Draft, emptyDraft, isBlank, valueOf } from '../../domain/values/draft.ts'

/** A property to be, as it is typed. */
export interface DetailRow extends WrittenProperty {
  readonly id: string
  readonly draft: Draft
}

/** Issues by row id. */
export type DetailIssues = ReadonlyMap<string, RowIssues>

/** A row's property, and which row it is. */
export interface Detail {
  readonly rowId: string
  readonly property: PropertyInput
}

export function createRow(): DetailRow {
  return { id: crypto.randomUUID(), key: '', type: 'TEXT', sensitive: false, draft: emptyDraft }
}

/** Takes over type and sensitivity from other users' properties with this key. */
export const adoptKnown = (row: DetailRow, known: KnownProperties): DetailRow =>
  applyKnown(row, known.of(row.key), isBlank(row.draft))

function isUnused({ key, draft }: DetailRow): boolean {
  return key === '' && isBlank(draft)
}

/** Reads the rows that were filled in: their properties, and their issues. */
export function readDetails(
  rows: readonly DetailRow[],
  known: KnownProperties,
): {
  readonly details: readonly Detail[]
  readonly issues: DetailIssues
} {
  const used = rows.filter((row) => !isUnused(row))
  const issues = new Map<string, RowIssues>()
  const details = used.flatMap((row, index): Detail[] => {
    const { id, key, type, sensitive, draft } = row
    const isTaken = used.slice(0, index).some((other) => trimEnds(other.key) === trimEnds(key))
    const isUnsure = isUnchecked(known, row)
    const keyIssue =
      key === ''
        ? newUserText.details.keyMissing
        : isTaken
          ? newUserText.details.keyTaken
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
    // Waiting for what is known is no fault of the input: it keeps the row from being sent, and has no text.
    issues.set(id, {
      ...(keyIssue !== undefined && { key: keyIssue }),
      ...(read.issues && { value: read.issues }),
    })
    return []
  })
  return { details, issues }
}

/** Effect of one detail on an existing user's `person` entity. */
export interface DetailChange extends Detail {
  /** The value that it takes the place of; absent: the key is new. */
  readonly before?: Entity['properties'][number]
  /** Neither value is shown. */
  readonly isSecret: boolean
  readonly becomesSensitive: boolean
}

/** Effect of adding details to an existing user, computed from their first `person` entity as it was read. */
export interface DetailPlan {
  /** Existing `person` entity; undefined if there is none, so that one is created. */
  readonly person: { readonly id: string; readonly etag: string | undefined } | undefined
  readonly changes: readonly DetailChange[]
}

/** Reads the user's first (oldest) person entity and compares. */
export async function planDetails(userId: string, details: readonly Detail[]): Promise<DetailPlan> {
  const query = reading()
  const all = await api.listEntities({ params: { user_id: userId }, query })
  const first = all.find(({ type }) => type === 'person')
  // A list has no tag of its own entities.
  const person =
    first && isFull()
      ? await api.getEntity({ params: { user_id: userId, entity_id: first.id }, query })
      : first
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
  // Adding a value must not, as a side effect, expose one that is marked sensitive.
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

/** Whether two plans would do the same to the same values. */
export function isSamePlan(a: DetailPlan, b: DetailPlan): boolean {
  const essence = ({ person, changes }: DetailPlan) => ({
    person: person?.id,
    changes: changes.map(({ property, before }) => ({ property, before: before && { ...before, id: '' } })),
  })
  return sameJson(essence(a), essence(b))
}

/** Carries out a plan. After a lost answer the plan is made again first, which leaves out what was done already. */
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
