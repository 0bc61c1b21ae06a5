import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId } from 'react'

import { type DataType, operandOf, type Operator, operatorsOf } from '#contract/index.ts'
import { segmentText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { Choice, Field } from '../../../domain/values/Field.tsx'
import classes from './builder.module.css'
import { newOperand, type Operand, type Comparison, withOperator } from '../draft/nodes.ts'
import type { Issue } from '../draft/filter-draft.ts'
import { Issues } from './Issues.tsx'
import { DurationEditor, ValueEditor } from './OperandEditor.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'

const words = segmentText.builder

export interface ComparisonEditorProps {
  readonly type: DataType
  readonly comparison: Comparison
  readonly onChange: (comparison: Comparison) => void
  /** Of the node that the comparison belongs to. */
  readonly issues: readonly Issue[]
  /** To offer; without it those of the type. */
  readonly operators?: readonly Operator[]
}

/** An operator of the type, and what it compares with. */
export function ComparisonEditor({
  type,
  comparison,
  onChange,
  issues,
  operators = operatorsOf(type),
}: ComparisonEditorProps) {
  const { op } = comparison
  const id = useId()
  const wrong = issues.filter(({ place }) => place.control === 'value')
  const misapplied = issues.filter(({ place }) => place.control === 'op' || place.control === 'type')
  const offered = operators.includes(op) ? operators : [op, ...operators]
  const options = offered.map((value) => ({
    value,
    label: type === 'TIME' && value === 'on' ? words.timeIs : words.operators[value],
  }))
  return (
    <>
      <Choice
        label={words.operator}
        value={op}
        size={16}
        options={options}
        onChange={(value) => onChange(withOperator(comparison, type, value as Operator))}
        {...(misapplied.length > 0 && { invalid: true, describedBy: id })}
      />
      <OperandEditor type={type} comparison={comparison} onChange={onChange} wrong={wrong} />
      <Issues id={id} issues={misapplied} />
    </>
  )
}

interface OperandProps extends Omit<ComparisonEditorProps, 'issues' | 'operators'> {
  readonly wrong: readonly Issue[]
}

function OperandEditor({ type, comparison, onChange, wrong }: OperandProps) {
  const { op, values, fragment, duration } = comparison
  const describedBy = useId()
  const set = (index: number, value: Operand) =>
    onChange({ ...comparison, values: values.map((each, position) => (position === index ? value : each)) })
  const one = (index: number, label: string, nth: boolean) => {
    const value = values[index]
    return (
      value && (
        <ValueEditor
          type={type}
          value={value}
          label={label}
          onChange={(next) => set(index, next)}
          wrong={nth ? at(wrong, index) : wrong}
        />
      )
    )
  }
  const whole = wrong.filter(({ place }) => place.path.length === 0)

  switch (operandOf(op)) {
    case 'none':
      return null
    case 'value':
      return one(0, words.value, false)
    case 'range':
      return (
        <>
          {one(0, words.from, true)}
          <span className={classes.word}>{words.and}</span>
          {one(1, words.to, true)}
          <Issues issues={whole} />
        </>
      )
    case 'list':
      return (
        <div className={classes.list}>
          {values.map((value, index) => (
            <div key={value.id} className={classes.item}>
              {one(index, words.nthValue(index), true)}
              {values.length > 1 && (
                <IconButton
                  aria-label={words.removeValue(index)}
                  {...hint(words.removeValue(index))}
                  onClick={() => onChange({ ...comparison, values: values.filter((each) => each !== value) })}
                >
                  <IconX size={15} stroke={1.75} />
                </IconButton>
              )}
            </div>
          ))}
          <Button
            size="compact-sm"
            variant="subtle"
            className={classes.addTest ?? ''}
            leftSection={<IconPlus size={13} aria-hidden />}
            onClick={() => onChange({ ...comparison, values: [...values, newOperand(type)] })}
          >
            {words.addValue}
          </Button>
          <Issues issues={whole} />
        </div>
      )
    case 'fragment':
      return (
        <>
          <div className={classes.wide}>
            <Field
              label={words.value}
              value={fragment}
              onChange={(value) => onChange({ ...comparison, fragment: value })}
              {...(wrong.length > 0 && { invalid: true, describedBy })}
            />
          </div>
          <Issues id={describedBy} issues={wrong} />
        </>
      )
    case 'duration':
      return (
        <DurationEditor
          duration={duration}
          days={type === 'DATE' || op === 'anniversary_within'}
          onChange={(next) => onChange({ ...comparison, duration: next })}
          wrong={wrong}
        />
      )
  }
}

/** Issues of the value at a position, with their paths within it. */
function at(issues: readonly Issue[], index: number): readonly Issue[] {
  const own = issues.filter(({ place }) => String(place.path[0]) === String(index))
  return own.map(({ place, pointer, detail }) => ({
    place: { ...place, path: place.path.slice(1) },
    pointer,
    detail,
  }))
}
