import { type DataType, operandOf, type Operator } from '#contract/index.ts'
import { filterBuilderText, valueText } from '../../../messages/index.ts'
import {
  chosenValues,
  type Comparison,
  newOperand,
  singleOf,
  takesSeveral,
  withChosen,
  withOperator,
} from './nodes.ts'

/** A comparison to choose, such as "contains", or one that includes its value, such as "is true". */
export interface OperatorChoice {
  readonly id: string
  readonly label: string
  /** Whether nothing has to be given beside it. */
  readonly isWhole: boolean
  readonly choose: (comparison: Comparison) => Comparison
}

/** Returns the comparisons that a type offers, and the one that is chosen. */
export function operatorChoices(type: DataType, comparison: Comparison, operators: readonly Operator[]) {
  const { op } = comparison
  const offered = operators.includes(op) ? operators : [op, ...operators]
  const singles = offered.filter(
    (each) => each === op || singleOf(each) === each || !takesSeveral(type, each),
  )
  // "is any of" takes the place of "is", because choosing several values changes one into the other.
  const names = singles.filter((each) => each === op || each !== singleOf(op))
  const choices = names.flatMap((each) => choicesOf(type, each, comparison))
  const id = choices.find(({ id: own }) => own === idOf(type, comparison))?.id ?? op
  return { choices, id }
}

function choicesOf(type: DataType, op: Operator, comparison: Comparison): readonly OperatorChoice[] {
  const values = op === 'eq' && !hasDates(comparison) ? wholeValues[type] : undefined
  if (!values)
    return [
      {
        id: op,
        label: type === 'TIME' && op === 'on' ? filterBuilderText.timeIs : filterBuilderText.operators[op],
        isWhole: operandOf(op) === 'none',
        choose: (from) => switchOperator(from, type, op),
      },
    ]
  return Object.entries(values).map(([value, label]) => ({
    id: `eq ${value}`,
    label,
    isWhole: true,
    choose: (from) => ({ ...from, op: 'eq', values: [{ ...newOperand(type), draft: { text: value } }] }),
  }))
}

/** Whether the name of the comparison includes its value. */
export const isWholeComparison = (type: DataType, comparison: Comparison): boolean =>
  comparison.op === 'eq' && choicesOf(type, 'eq', comparison).every((each) => each.isWhole)

const { isTrue, isFalse, status } = filterBuilderText.wholeValues
const wholeValues: Partial<Record<DataType, Readonly<Record<string, string>>>> = {
  BOOLEAN: { true: isTrue, false: isFalse },
  PREFERENCE: Object.fromEntries(
    Object.entries(valueText.status).map(([value, label]) => [value, status({ status: label })]),
  ),
}

const hasDates = ({ op, values: [value] }: Comparison) =>
  op === 'eq' &&
  value !== undefined &&
  (value.draft.unfit !== undefined || Boolean(value.draft.statusDate) || Boolean(value.draft.expires))

const idOf = (type: DataType, { op, values: [value] }: Comparison) =>
  op === 'eq' && wholeValues[type] ? `eq ${value?.draft.text ?? ''}` : op

/** Switches the operator; several chosen values stay where the other operator takes several too. */
function switchOperator(comparison: Comparison, type: DataType, op: Operator): Comparison {
  const next = withOperator(comparison, type, op)
  if (!takesSeveral(type, comparison.op) || !takesSeveral(type, op)) return next
  const { chosen, typed } = chosenValues(type, comparison)
  return withChosen({ ...comparison, op }, type, chosen, typed)
}
