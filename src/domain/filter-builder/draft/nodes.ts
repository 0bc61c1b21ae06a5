import {
  asksForConsent,
  type DataType,
  type Operator,
  operandOf,
  operatorsOf,
  type UserField,
} from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { type Draft, emptyDraft, isBlank, retype } from '../../values/draft.ts'

/** A filter while it is written. Ids stay with their nodes, whatever moves around them, and are no part of it. */
export type Node = Group | UserNode | EntityNode | SegmentNode

export interface Group {
  readonly id: string
  readonly kind: 'group'
  /** `not` holds one part, or none while it is written. */
  readonly match: 'all' | 'any' | 'not'
  readonly parts: readonly Node[]
}
export interface UserNode {
  readonly id: string
  readonly kind: 'user'
  readonly field: UserField
  readonly comparison: Comparison
}
export interface EntityNode {
  readonly id: string
  readonly kind: 'entity'
  readonly type: string
  /** Minimum number of entities as typed; empty means 1. */
  readonly min: string
  readonly properties: readonly PropertyNode[]
}
export interface PropertyNode {
  readonly id: string
  readonly kind: 'property'
  readonly key: string
  readonly type: DataType
  readonly orMissing: boolean | undefined
  readonly sensitive: boolean | undefined
  readonly comparison: Comparison
}
export interface SegmentNode {
  readonly id: string
  readonly kind: 'segment'
  /** Empty while none is chosen. */
  readonly segment: string
}

/** Everything that was typed for an operator, of which each operator takes what it needs: changing it loses nothing. */
export interface Comparison {
  readonly op: Operator
  /** Never empty: the first for one value, two for a range, all for a list. */
  readonly values: readonly Operand[]
  readonly fragment: string
  readonly duration: Duration
}

export interface Operand {
  readonly id: string
  /** `day`: a whole day where the type is a moment. `ago`, `ahead`: relative to the time of evaluation. */
  readonly form: 'value' | 'day' | 'ago' | 'ahead'
  readonly draft: Draft
  readonly duration: Duration
}

/** A duration: an amount of one unit; or, with the unit `''`, the text of an ISO 8601 duration. */
export interface Duration {
  readonly amount: string
  readonly unit: DurationUnit | ''
}
export const durationUnits = ['D', 'W', 'M', 'Y', 'TH', 'TM'] as const
export type DurationUnit = (typeof durationUnits)[number]

let nodes = 0
export const nextId = () => `node-${++nodes}`

export function newGroup(match: Group['match'], parts: readonly Node[] = []): Group {
  return { id: nextId(), kind: 'group', match, parts }
}

export function newUserNode(): UserNode {
  return { id: nextId(), kind: 'user', field: 'email', comparison: newComparison('EMAIL') }
}

export function newEntityNode(): EntityNode {
  return { id: nextId(), kind: 'entity', type: '', min: '', properties: [newPropertyNode()] }
}

export function newPropertyNode(): PropertyNode {
  return {
    id: nextId(),
    kind: 'property',
    key: '',
    type: 'TEXT',
    orMissing: undefined,
    sensitive: undefined,
    comparison: newComparison('TEXT'),
  }
}

export function newSegmentNode(): SegmentNode {
  return { id: nextId(), kind: 'segment', segment: '' }
}

/** The operators that the service takes on a type, in the order in which to offer them. */
export function offeredOperators(type: DataType): readonly Operator[] {
  return operatorsOf(type).filter((op) => !asksForConsent(op) || isFull())
}

export function newComparison(type: DataType): Comparison {
  return {
    op: offeredOperators(type)[0] ?? 'exists',
    values: [newOperand(type)],
    fragment: '',
    duration: emptyDuration,
  }
}

const emptyDuration: Duration = { amount: '', unit: 'D' }

/** Creates an empty operand. For a DATETIME it is a day, which is asked for far more often than an instant. */
export function newOperand(type: DataType): Operand {
  return {
    id: nextId(),
    form: type === 'DATETIME' ? 'day' : 'value',
    draft: emptyDraft,
    duration: emptyDuration,
  }
}

/** The type of the input in which an operand is written. */
export function inputType(type: DataType, { form }: Operand): DataType {
  return form === 'day' ? 'DATE' : type
}

/** Returns the tree with one node changed; `undefined` from `change` removes the node. */
export function changeNode(
  root: Node,
  id: string,
  change: (node: Node) => Node | undefined,
): Node | undefined {
  if (root.id === id) return change(root)
  if (root.kind !== 'group') return root
  const parts = root.parts.flatMap((part) => changeNode(part, id, change) ?? [])
  return parts.length === root.parts.length && parts.every((part, index) => part === root.parts[index])
    ? root
    : { ...root, parts }
}

/** Another operator: what was typed goes along where the new one takes it. */
export function withOperator(comparison: Comparison, type: DataType, op: Operator): Comparison {
  const was = operandOf(comparison.op)
  const is = operandOf(op)
  let { values, fragment } = comparison
  const [first] = values
  if (is === 'fragment' && was !== 'fragment' && first && first.draft.text !== '') fragment = first.draft.text
  if (was === 'fragment' && is !== 'fragment' && first && fragment !== '')
    values = [{ ...first, draft: { text: fragment } }, ...values.slice(1)]
  if (is === 'range' && values.length < 2) values = [...values, newOperand(type)]
  return { ...comparison, op, values, fragment }
}

/** Another type: the operator stays where the type has it, and what was typed stays to be read anew. */
export function retypeComparison(comparison: Comparison, from: DataType, to: DataType): Comparison {
  const values = comparison.values.map((operand) => {
    const draft = retype(operand.draft, inputType(from, operand), to === 'DATETIME' ? 'DATE' : to)
    const relative = operand.form === 'ago' || operand.form === 'ahead'
    if (relative && (to === 'DATE' || to === 'DATETIME')) return { ...operand, draft }
    return { ...operand, form: to === 'DATETIME' ? ('day' as const) : ('value' as const), draft }
  })
  const op = operatorsOf(to).includes(comparison.op) ? comparison.op : (offeredOperators(to)[0] ?? 'exists')
  return withOperator({ ...comparison, values }, to, op)
}

/** Tells whether no operand has been entered yet. */
export function isUntouched({ values, fragment, duration }: Comparison): boolean {
  return (
    fragment === '' &&
    duration.amount === '' &&
    values.every((each) => isBlank(each.draft) && each.duration.amount === '')
  )
}

/** A day, a moment or a relative one in place of another; the text goes along. */
export function withForm(operand: Operand, type: DataType, form: Operand['form']): Operand {
  const next = { ...operand, form }
  return { ...next, draft: retype(operand.draft, inputType(type, operand), inputType(type, next)) }
}
