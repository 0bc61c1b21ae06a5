import { type DataType, operandOf, type Operator, operatorsOf, readDuration } from '#contract/index.ts'
import { segmentText } from '../../../messages/index.ts'
import type { PropertyNode } from './nodes.ts'
import { spanText } from './filter-codec.ts'
import type { Problem } from './filter-draft.ts'

const equality: ReadonlySet<Operator> = new Set(['eq', 'ne', 'in', 'not_in', 'on'])

/** What finds a sensitive value, which the service keeps encrypted: whether it equals another, or is there at all. */
export function sealedOperators(type: DataType): readonly Operator[] {
  return operatorsOf(type).filter((op) => equality.has(op) || operandOf(op) === 'none')
}

/** What the service will say about a test on a sensitive key (`sealedObjection` there), where it is written. */
export function sealedProblems({ id, type, test }: PropertyNode, tz: string): readonly Problem[] {
  const words = segmentText.builder.sealed
  const problem = (part: 'op' | 'value', detail: string): readonly Problem[] => [
    { place: { id, part, path: [] }, pointer: '', detail },
  ]
  const { op, values } = test
  const usable = sealedOperators(type)
  if (!usable.includes(op))
    return problem('op', words.operator(usable.map((each) => segmentText.builder.operators[each])))
  const sought = operandOf(op) === 'value' ? values.slice(0, 1) : operandOf(op) === 'list' ? values : []
  if (type === 'PREFERENCE' && sought.some(({ draft }) => draft.statusDate || draft.expires))
    return problem('value', words.status)
  const isDay = sought.some(
    ({ form, span }) =>
      form === 'day' ||
      ((form === 'ago' || form === 'ahead') && readDuration(spanText(span))?.exact !== true),
  )
  return type === 'DATETIME' && isDay && tz !== 'UTC' ? problem('value', words.day) : []
}
