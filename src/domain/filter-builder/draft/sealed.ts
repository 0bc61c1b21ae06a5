import { type DataType, operandOf, type Operator, readDuration, sealedOperatorsOf } from '#contract/index.ts'
import { filterBuilderText, filterSentenceText } from '../../../messages/index.ts'
import { joinList } from '../../../messages/language/phrase.ts'
import { quote } from '../../filters/operands.ts'
import { durationText } from './filter-codec.ts'
import type { FilterIssue } from './filter-draft.ts'
import { offeredOperators, type PropertyNode } from './nodes.ts'

export function sealedOperators(type: DataType): readonly Operator[] {
  return offeredOperators(type).filter((op) => sealedOperatorsOf(type).includes(op))
}

/**
 * Returns the issues for which the service will reject a test on a sensitive key. Mirrors the server's
 * `sealedObjection`.
 */
export function sealedIssues({ id, type, comparison }: PropertyNode, tz: string): readonly FilterIssue[] {
  const sealedText = filterBuilderText.sealed
  const issue = (control: 'op' | 'value', detail: string): readonly FilterIssue[] => [
    { position: { id, control, path: [] }, pointer: '', detail },
  ]
  const { op, values } = comparison
  if (!sealedOperatorsOf(type).includes(op)) {
    const usable = sealedOperators(type).map((each) => quote(filterBuilderText.operators[each]))
    return issue('op', sealedText.operator({ operators: joinList(filterSentenceText.oneOf, usable) }))
  }
  const compared = operandOf(op) === 'value' ? values.slice(0, 1) : operandOf(op) === 'list' ? values : []
  if (type === 'PREFERENCE' && compared.some(({ draft }) => draft.statusDate || draft.expires))
    return issue('value', sealedText.status)
  const isDay = compared.some(
    ({ form, duration }) =>
      form === 'day' ||
      ((form === 'ago' || form === 'ahead') && readDuration(durationText(duration))?.exact !== true),
  )
  return type === 'DATETIME' && isDay && tz !== 'UTC' ? issue('value', sealedText.day) : []
}
