import {
  type DataType,
  type Filter,
  type Operator,
  operandOf,
  type PropertyTest,
  readValue,
  userFields,
} from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { rawText } from '#contract/reading/written.ts'
import { draftOf, valueOf } from '../../values/draft.ts'
import {
  inputType,
  newGroup,
  newOperand,
  newComparison,
  nextId,
  takesSeveral,
  type Node,
  type Operand,
  type PropertyNode,
  type Duration,
  type DurationUnit,
  type Comparison,
} from './nodes.ts'

export function fromFilter(filter: Filter): Node {
  if ('all' in filter) return newGroup('all', filter.all.map(fromFilter))
  if ('any' in filter) return newGroup('any', filter.any.map(fromFilter))
  if ('not' in filter) return newGroup('not', [fromFilter(filter.not)])
  if ('segment' in filter) return { id: nextId(), kind: 'segment', segment: filter.segment }
  if ('user' in filter)
    return {
      id: nextId(),
      kind: 'user',
      field: filter.user,
      comparison: comparisonOf(userFields[filter.user], filter.op, filter.value),
    }
  const { entity, min, where = [] } = filter
  return {
    id: nextId(),
    kind: 'entity',
    type: entity,
    min: min === undefined ? '' : String(min),
    properties: where.map(propertyOf),
  }
}

function propertyOf({ key, type, op, value, orMissing, sensitive }: PropertyTest): PropertyNode {
  const comparison = comparisonOf(type, op, value)
  return { id: nextId(), kind: 'property', key, type, orMissing, sensitive, comparison }
}

/** Returns the draft of a test's operator and value. */
export function comparisonOf(type: DataType, op: Operator, value: unknown): Comparison {
  const comparison: Comparison = { ...newComparison(type), op }
  switch (operandOf(op)) {
    case 'none':
      return comparison
    case 'fragment':
      return { ...comparison, fragment: rawText(value) }
    case 'duration':
      return { ...comparison, duration: durationOf(value) }
    case 'value':
      return { ...comparison, values: [operandFor(type, value)] }
    case 'list': {
      const values = (value as readonly unknown[]).map((item) => operandFor(type, item))
      // The input for another one.
      return { ...comparison, values: takesSeveral(type, op) ? [...values, newOperand(type)] : values }
    }
    case 'range':
      return { ...comparison, values: (value as readonly unknown[]).map((item) => operandFor(type, item)) }
  }
}

function operandFor(type: DataType, value: unknown): Operand {
  const operand = newOperand(type)
  if (type === 'DATE' || type === 'DATETIME') {
    const { ago, ahead } = (typeof value === 'object' && value !== null ? value : {}) as Record<
      string,
      unknown
    >
    if (ago !== undefined) return { ...operand, form: 'ago', duration: durationOf(ago) }
    if (ahead !== undefined) return { ...operand, form: 'ahead', duration: durationOf(ahead) }
  }
  if (type === 'DATETIME' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value))
    return { ...operand, form: 'day', draft: draftOf('DATE', value) }
  return { ...operand, form: 'value', draft: draftOf(type, value) }
}

/** Parses a duration; the inverse of `durationText`. */
export function durationOf(value: unknown): Duration {
  const text = rawText(value)
  const [, day, dayUnit, time, timeUnit] = /^P(?:(\d+)([DWMY])|T(\d+)([HM]))$/.exec(text) ?? []
  if (day !== undefined) return { amount: day, unit: dayUnit as DurationUnit }
  if (time !== undefined) return { amount: time, unit: `T${timeUnit}` as DurationUnit }
  return { amount: text, unit: '' }
}

/**
 * Converts a draft into a filter. Incomplete parts are omitted or left as typed, so that the contract's schema reports
 * what is missing and `locateControl` finds where.
 */
export function toFilter(node: Node): Filter {
  return writeNode(node) as Filter
}

function writeNode(node: Node): object {
  switch (node.kind) {
    case 'group':
      return node.match === 'not'
        ? { not: node.parts[0] ? writeNode(node.parts[0]) : {} }
        : { [node.match]: node.parts.map(writeNode) }
    case 'segment':
      return { segment: node.segment }
    case 'user':
      return { user: node.field, ...writeComparison(userFields[node.field], node.comparison) }
    case 'entity':
      return {
        entity: node.type,
        ...(node.properties.length > 0 && { where: node.properties.map(writeProperty) }),
        ...(node.min.trim() !== '' && { min: numberOr(node.min) }),
      }
  }
}

function writeProperty({ key, type, orMissing, sensitive, comparison }: PropertyNode): object {
  return {
    key,
    type,
    ...writeComparison(type, comparison),
    ...(orMissing !== undefined && { orMissing }),
    ...(sensitive !== undefined && { sensitive }),
  }
}

function writeComparison(type: DataType, comparison: Comparison): { op: Operator; value?: unknown } {
  const value = writeOperand(type, comparison)
  return { op: comparison.op, ...(value !== undefined && { value }) }
}

function writeOperand(type: DataType, { op, values, fragment, duration }: Comparison): unknown {
  const one = (operand: Operand | undefined) => operand && writeValue(type, operand)
  switch (operandOf(op)) {
    case 'none':
      return undefined
    case 'fragment':
      return fragment
    case 'duration':
      return durationText(duration)
    case 'value':
      return one(values[0])
    // A missing value is null, as in JSON, so that the schema reports it at its position.
    case 'list':
      return (takesSeveral(type, op) ? withoutOpenEnd(values) : values).map((operand) => one(operand) ?? null)
    case 'range':
      return [one(values[0]) ?? null, one(values[1]) ?? null]
  }
}

/** Returns the values of a list without the input for another one. */
function withoutOpenEnd(values: readonly Operand[]): readonly Operand[] {
  const last = values.at(-1)
  return values.length > 1 && last?.draft.none === true && isBlank(last.draft) ? values.slice(0, -1) : values
}

function writeValue(type: DataType, operand: Operand): unknown {
  const { form, draft, duration } = operand
  if (form === 'ago' || form === 'ahead') return { [form]: durationText(duration) ?? '' }
  const read = valueOf(inputType(type, operand), draft)
  if (!read.issues) return read.value ?? undefined
  if (draft.unfit) return draft.unfit.value
  if (type === 'CURRENCY')
    return { currency: (draft.currency ?? '').trim().toUpperCase(), value: unreadNumber(draft.text) }
  if (type === 'DECIMAL') return unreadNumber(draft.text)
  if (type === 'RELATIONSHIP') return { user: draft.text.trim(), ...present('entity', draft.entity) }
  if (type === 'PREFERENCE')
    return {
      status: draft.text,
      ...present('statusDate', draft.statusDate),
      ...present('expires', draft.expires),
    }
  return draft.text
}

/**
 * Returns the text of a number that could not be read. Text that the service would accept as a number becomes null,
 * because the person may have meant another number.
 */
function unreadNumber(text: string): string | null {
  return readValue('DECIMAL', text.trim()).issues ? text.trim() : null
}

function present(name: string, value: string | undefined): object {
  return value === undefined || value.trim() === '' ? {} : { [name]: value.trim() }
}

/** Returns the typed duration in ISO 8601; `undefined` if none was typed. */
export function durationText({ amount, unit }: Duration): string | undefined {
  const text = amount.trim()
  if (text === '') return undefined
  return unit === '' ? text : unit.startsWith('T') ? `PT${text}${unit.slice(1)}` : `P${text}${unit}`
}

/** Returns `next`, reusing nodes of `before` that are equal, so that incomplete input in them is kept. */
export function keepNodes(before: Node, next: Node): Node {
  if (isSame(before, next)) return before
  const { id } = before
  if (before.kind === 'entity' && next.kind === 'entity') {
    const properties = next.properties.map((each, index) => ({
      ...each,
      id: before.properties[index]?.id ?? each.id,
    }))
    return { ...next, id, properties }
  }
  if (before.kind !== 'group' || next.kind !== 'group')
    return before.kind === next.kind ? { ...next, id } : next
  const left = [...before.parts]
  const take = (found: number) => (found < 0 ? undefined : left.splice(found, 1)[0])
  const same = next.parts.map((part) => take(left.findIndex((each) => isSame(each, part))))
  const parts = next.parts.map((part, index) => {
    const kept = same[index] ?? take(left.findIndex(({ kind }) => kind === part.kind))
    return kept ? keepNodes(kept, part) : part
  })
  return { ...next, id, parts }
}

const isSame = (a: Node, b: Node) => JSON.stringify(toFilter(a)) === JSON.stringify(toFilter(b))

/** Parses digits. Other text is returned as it is, so that the schema rejects it. */
function numberOr(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text
}

/** Member of a filter that has a control on screen. */
type Control = 'segment' | 'entity' | 'min' | 'key' | 'type' | 'op' | 'value' | 'orMissing' | 'sensitive'

const controls: Readonly<Record<(Node | PropertyNode)['kind'], readonly Control[]>> = {
  group: [],
  segment: ['segment'],
  entity: ['entity', 'min'],
  property: ['key', 'type', 'op', 'value', 'orMissing', 'sensitive'],
  user: ['op', 'value'],
}

/** Position of a part of a filter on screen: a node and one of its controls. */
export interface ControlPosition {
  readonly id: string
  readonly control: Control | 'node'
  /** Path within the value: an index in a list, a member of the value. */
  readonly path: readonly PropertyKey[]
}

/** Returns the place on screen for a path within `toFilter(node)`, or the nearest one that is known. */
export function locateControl(node: Node | PropertyNode, path: readonly PropertyKey[]): ControlPosition {
  const [step, ...rest] = path
  const control = controls[node.kind].find((each) => each === step)
  if (control) return { id: node.id, control, path: rest }
  if (node.kind === 'group' && node.match === step) {
    const isNot = step === 'not'
    const part = node.parts[isNot ? 0 : Number(rest[0])]
    if (part) return locateControl(part, isNot ? rest : rest.slice(1))
  }
  const property = node.kind === 'entity' && step === 'where' ? node.properties[Number(rest[0])] : undefined
  return property ? locateControl(property, rest.slice(1)) : { id: node.id, control: 'node', path: [] }
}
