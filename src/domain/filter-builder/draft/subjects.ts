import {
  type DataType,
  dataTypes,
  entityType,
  fold,
  propertyKey,
  type UserField,
  userFields,
} from '#contract/index.ts'
import { filterBuilderText } from '../../../messages/index.ts'
import { nounOf } from '../../filters/sentence.ts'
import { typeLabel } from '../../labels.ts'
import { segmentName } from '../../segments/names.ts'
import { dataTypeName } from '../../values/data-type-name.ts'
import { type Comparison, newComparison, newOperand, nextId, type Node, type PropertyNode } from './nodes.ts'
import { sealedOperators } from './sealed.ts'

/** Anything that a condition can be about. */
export interface Subject {
  readonly id: string
  readonly group: 'user' | 'property' | 'consent' | 'segment' | 'account' | 'entity' | 'new'
  readonly label: string
  /** Key or data type, beside the label. */
  readonly aside: string
  readonly isSensitive: boolean
  /** Folded text in which a search looks. */
  readonly words: string
  /** Creates the condition, with the likeliest comparison. */
  readonly begin: () => Node
}

/** Property that a condition can be about. */
export interface SubjectProperty {
  readonly name: string
  readonly label: string
  /** Data type; undefined if nobody has a value. */
  readonly type?: string | undefined
  readonly sensitive: boolean
  readonly choices?: readonly { readonly value: string | number; readonly label: string }[] | undefined
}

export interface SubjectType {
  readonly name: string
  readonly label: string
  readonly properties: readonly SubjectProperty[]
}

export interface NamedSegment {
  readonly id: string
  readonly name?: string | null | undefined
}

/** Entity type whose properties are the user's own, so that their labels need no prefix. */
const ownType = 'person'

/** Properties of the given entity types, with what else a condition can be about. */
export function listSubjects(
  types: readonly SubjectType[],
  segments: readonly NamedSegment[],
): readonly Subject[] {
  return [
    ...fields,
    ...types.flatMap((type) => type.properties.map((property) => propertySubject(type, property))),
    ...segments.map(segmentSubject),
    ...accounts,
    ...types.map(({ name }) => entitySubject(name)),
  ]
}

const { fields: fieldNames, subjects: text } = filterBuilderText

function subject(
  group: Subject['group'],
  name: string,
  label: string,
  begin: () => Node,
  more: { readonly aside?: string; readonly isSensitive?: boolean; readonly words?: string } = {},
): Subject {
  const { aside = '', isSensitive = false, words = '' } = more
  const id = `${group} ${name}`
  return { id, group, label, aside, isSensitive, words: fold(`${label} ${aside} ${words}`), begin }
}

const fields = (Object.keys(userFields) as UserField[])
  .filter((field) => field !== 'account')
  .map((field) =>
    subject(
      'user',
      field,
      fieldNames[field],
      () => ({
        id: nextId(),
        kind: 'user',
        field,
        comparison: beginComparison(userFields[field], field !== 'ref'),
      }),
      { aside: dataTypeName(userFields[field]), words: field },
    ),
  )

const accounts = ([true, false] as const).map((has) =>
  subject('account', String(has), text.account[has ? 'yes' : 'no'], () => ({
    id: nextId(),
    kind: 'user',
    field: 'account',
    comparison: withValue('BOOLEAN', String(has)),
  })),
)

function segmentSubject(segment: NamedSegment): Subject {
  const id = segment.id.toLowerCase()
  return subject('segment', id, text.segment({ segment: segmentName(segment) }), () => ({
    id: nextId(),
    kind: 'segment',
    segment: id,
  }))
}

function entitySubject(type: string): Subject {
  const label = text.entity({ thing: nounOf(type, 'one') })
  return subject(
    'entity',
    type,
    label,
    () => ({ id: nextId(), kind: 'entity', type, min: '', properties: [] }),
    { words: type },
  )
}

function propertySubject({ name: type, label: typeName }: SubjectType, property: SubjectProperty): Subject {
  const { name, label, sensitive } = property
  const own = typeOf(property)
  return subject(
    own === 'PREFERENCE' ? 'consent' : 'property',
    JSON.stringify([type, name]),
    type === ownType ? label : text.property({ type: typeName, label }),
    () => entityNode(type, beginProperty(property)),
    { aside: dataTypeName(own), isSensitive: sensitive, words: `${type}.${name}` },
  )
}

const typeOf = ({ type }: Pick<SubjectProperty, 'type'>): DataType =>
  dataTypes.find((each) => each === type) ?? 'TEXT'

const entityNode = (type: string, property: PropertyNode): Node => ({
  id: nextId(),
  kind: 'entity',
  type,
  min: '',
  properties: [property],
})

/** Creates a test of a property with the likeliest comparison of its values. */
export function beginProperty(property: Omit<SubjectProperty, 'label'>): PropertyNode {
  const { name: key, sensitive, choices } = property
  const type = typeOf(property)
  const comparison = beginComparison(type, false, choices !== undefined)
  const [sealed] = sealedOperators(type)
  const isFound = !sensitive || sealedOperators(type).includes(comparison.op)
  return {
    id: nextId(),
    kind: 'property',
    key,
    type,
    comparison: isFound || !sealed ? comparison : { ...comparison, op: sealed },
  }
}

function beginComparison(type: DataType, isWritten: boolean, hasChoices = false): Comparison {
  if (type === 'BOOLEAN') return withValue(type, 'true')
  const comparison = newComparison(type)
  if ((type === 'TEXT' && isWritten) || type === 'EMAIL' || type === 'URL')
    return { ...comparison, op: 'contains' }
  if (type === 'DATE' || type === 'DATETIME') return { ...comparison, op: 'within_last' }
  const isCounted = type === 'NUMBER' || type === 'DECIMAL' || type === 'CURRENCY'
  return isCounted && !hasChoices ? { ...comparison, op: 'gte' } : comparison
}

function withValue(type: DataType, written: string): Comparison {
  return {
    ...newComparison(type),
    op: 'eq',
    values: [{ ...newOperand(type), draft: { text: written } }],
  }
}

/** Whether a condition about the subject needs no comparison, so that it applies as soon as it is chosen. */
export const isWhole = ({ group }: Subject) => group === 'segment' || group === 'account'

const shownSubjects = 60

/**
 * Returns the subjects that have all typed words, in groups: those whose label begins with the text first. Without a
 * text, returns the first subjects in their order.
 */
export function findSubjects(subjects: readonly Subject[], typed: string): readonly Subject[] {
  const query = fold(typed.trim())
  const words = query.split(/[\s›.]+/u).filter((word) => word !== '')
  const ranked = subjects.flatMap((each) => {
    if (!words.every((word) => each.words.includes(word))) return []
    return [{ each, rank: words.length === 0 ? 0 : rankOf(each, query, words) }]
  })
  const best = new Map<Subject['group'], number>()
  for (const { each, rank } of ranked) best.set(each.group, Math.min(rank, best.get(each.group) ?? rank))
  const order = [...best].toSorted(([, a], [, b]) => a - b).map(([group]) => group)
  return ranked
    .toSorted((a, b) => order.indexOf(a.each.group) - order.indexOf(b.each.group) || a.rank - b.rank)
    .slice(0, shownSubjects)
    .map(({ each }) => each)
}

/** Ranks a match: 0 is the whole label, then beginnings of the label, of words in it, and anything else. */
function rankOf({ label, words }: Subject, query: string, typed: readonly string[]): number {
  const own = fold(label)
  if (own === query) return 0
  if (own.startsWith(query) || own.includes(`› ${query}`)) return 1
  const begins = (text: string) => typed.every((word) => ` ${text}`.includes(` ${word}`))
  return begins(own) ? 2 : begins(words.replaceAll(/[._›]/gu, ' ')) ? 3 : 4
}

/** Returns the subject for a key that nobody has: "car.colour", or a key of the user's own. */
export function newSubject(typed: string, types: readonly SubjectType[]): Subject | undefined {
  const [, named = ownType, key = ''] = /^(?:([^.\s]+)\.)?(\S+)$/u.exec(typed.trim()) ?? []
  const type = entityType.safeParse(named.toLowerCase()).data
  if (type === undefined || findProperty(types, type, key) || !propertyKey.safeParse(key).success)
    return undefined
  const label = text.newKey({ key, type: typeLabel(type) })
  return subject('new', `${type}.${key}`, label, () =>
    entityNode(type, beginProperty({ name: key, sensitive: false })),
  )
}

export const findProperty = (types: readonly SubjectType[], type: string, key: string) =>
  types.find(({ name }) => name === type)?.properties.find(({ name }) => name === key)
