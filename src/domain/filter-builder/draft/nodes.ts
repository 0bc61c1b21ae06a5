import {
  asksForConsent,
  type DataType,
  type Operator,
  operandOf,
  operatorsOf,
  type UserField,
} from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { isFull } from '../../../api/index.ts'
import { type Draft, emptyDraft, retype } from '../../values/draft.ts'

/** Filter while it is being edited. Node ids stay the same when the tree changes, and are not part of the filter. */
export type Node = Group | UserNode | EntityNode | SegmentNode

export interface Group {
  readonly id: string
  readonly kind: 'group'
  /** A `not` group holds one part, or none while it is being edited. */
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
  readonly orMissing?: boolean | undefined
  readonly sensitive?: boolean | undefined
  readonly comparison: Comparison
}
export interface SegmentNode {
  readonly id: string
  readonly kind: 'segment'
  /** Id of the segment; empty until one is chosen. */
  readonly segment: string
}

/** Input of all operators. Each operator uses the part that it needs, so switching operators loses nothing. */
export interface Comparison {
  readonly op: Operator
  /** Operands, at least one: a single value uses the first, a range the first two, a list all. */
  readonly values: readonly Operand[]
  readonly fragment: string
  readonly duration: Duration
}

export interface Operand {
  readonly id: string
  /** `day`: a whole day, for a type that is a moment. `ago`, `ahead`: relative to the time of evaluation. */
  readonly form: 'value' | 'day' | 'ago' | 'ahead'
  readonly draft: Draft
  readonly duration: Duration
}

/** Duration: an amount of one unit; or, if the unit is `''`, the text of an ISO 8601 duration. */
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

/** Creates an empty operand. For a DATETIME it is a day, which people need far more often than an instant. */
export function newOperand(type: DataType): Operand {
  return {
    id: nextId(),
    form: type === 'DATETIME' ? 'day' : 'value',
    draft: emptyDraft,
    duration: emptyDuration,
  }
}

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

/** Types whose values are typed into one input, where several can be chosen. */
const listedTypes: ReadonlySet<DataType> = new Set(['TEXT', 'EMAIL', 'URL', 'NUMBER', 'DECIMAL'])

/** Whether the values of a comparison are chosen in one input, one or several: "is", "is any of" and their opposites. */
export function takesSeveral(type: DataType, op: Operator): boolean {
  return listedTypes.has(type) && (listOf(type, op) !== undefined || op === 'ne')
}

/** Returns the operator that takes a list where this one takes a value; undefined if the type has none. */
function listOf(type: DataType, op: Operator): Operator | undefined {
  const several = op === 'eq' || op === 'in' ? 'in' : op === 'ne' || op === 'not_in' ? 'not_in' : undefined
  return operatorsOf(type).find((each) => each === several)
}

/** Returns the operator that takes one value where this one takes a list. */
export const singleOf = (op: Operator): Operator => (op === 'in' ? 'eq' : op === 'not_in' ? 'ne' : op)

/** Returns the values chosen so far, and the one that is being typed. */
export function chosenValues(type: DataType, { op, values }: Comparison) {
  if (listOf(type, op) === undefined) return { chosen: [], typed: values[0] }
  const isList = op === 'in' || op === 'not_in' || values.length > 1
  return { chosen: isList ? values.slice(0, -1) : [], typed: values.at(-1) }
}

/** Chooses values: one of them is compared with "is", several with "is any of". */
export function withChosen(
  comparison: Comparison,
  type: DataType,
  chosen: readonly Operand[],
  typed: Operand = newOperand(type),
): Comparison {
  const several = listOf(type, comparison.op)
  const values = [...chosen, typed]
  const isSeveral = values.filter(({ draft }) => !isBlank(draft)).length > 1
  if (!several) return { ...comparison, values: [chosen[0] ?? typed] }
  return { ...comparison, op: isSeveral ? several : singleOf(comparison.op), values }
}

/** Switches the operator, carrying over the typed values that the new one can use. */
export function withOperator(comparison: Comparison, type: DataType, op: Operator): Comparison {
  const was = operandOf(comparison.op)
  const is = operandOf(op)
  let { values, fragment } = comparison
  const last = values.at(-1)
  if (is === 'list' && takesSeveral(type, op) && last && !isBlank(last.draft))
    values = [...values, newOperand(type)]
  const [first] = values
  if (is === 'fragment' && was !== 'fragment' && first && first.draft.text !== '') fragment = first.draft.text
  if (was === 'fragment' && is !== 'fragment' && first && fragment !== '')
    values = [{ ...first, draft: { text: fragment } }, ...values.slice(1)]
  if (is === 'range' && values.length < 2) values = [...values, newOperand(type)]
  return { ...comparison, op, values, fragment }
}

/** Switches the data type. The operator is kept if the new type has it; the typed text is kept and parsed again. */
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

export function withForm(operand: Operand, type: DataType, form: Operand['form']): Operand {
  const next = { ...operand, form }
  return { ...next, draft: retype(operand.draft, inputType(type, operand), inputType(type, next)) }
}
