import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId } from 'react'

import { type DataType, operandOf, type Operator, operatorsOf } from '#contract/index.ts'
import { segmentText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { Choice, Field } from '../../../domain/values/Field.tsx'
import classes from './builder.module.css'
import { newOperand, type Operand, type Test, withOperator } from '../draft/nodes.ts'
import type { Problem } from '../draft/filter-draft.ts'
import { Problems } from './Issues.tsx'
import { SpanEditor, ValueEditor } from './OperandEditor.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'

const words = segmentText.builder

export interface TestEditorProps {
  readonly type: DataType
  readonly test: Test
  readonly onChange: (test: Test) => void
  /** Of the node that the test belongs to. */
  readonly problems: readonly Problem[]
  /** To offer; without it those of the type. */
  readonly operators?: readonly Operator[]
}

/** An operator of the type, and what it compares with. */
export function TestEditor({
  type,
  test,
  onChange,
  problems,
  operators = operatorsOf(type),
}: TestEditorProps) {
  const { op } = test
  const id = useId()
  const wrong = problems.filter(({ place }) => place.part === 'value')
  const misapplied = problems.filter(({ place }) => place.part === 'op' || place.part === 'type')
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
        onChange={(value) => onChange(withOperator(test, type, value as Operator))}
        {...(misapplied.length > 0 && { invalid: true, describedBy: id })}
      />
      <OperandEditor type={type} test={test} onChange={onChange} wrong={wrong} />
      <Problems id={id} problems={misapplied} />
    </>
  )
}

interface OperandProps extends Omit<TestEditorProps, 'problems' | 'operators'> {
  readonly wrong: readonly Problem[]
}

function OperandEditor({ type, test, onChange, wrong }: OperandProps) {
  const { op, values, fragment, span } = test
  const describedBy = useId()
  const set = (index: number, value: Operand) =>
    onChange({ ...test, values: values.map((each, position) => (position === index ? value : each)) })
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
          <Problems problems={whole} />
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
                  onClick={() => onChange({ ...test, values: values.filter((each) => each !== value) })}
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
            onClick={() => onChange({ ...test, values: [...values, newOperand(type)] })}
          >
            {words.addValue}
          </Button>
          <Problems problems={whole} />
        </div>
      )
    case 'fragment':
      return (
        <>
          <div className={classes.wide}>
            <Field
              label={words.value}
              value={fragment}
              onChange={(value) => onChange({ ...test, fragment: value })}
              {...(wrong.length > 0 && { invalid: true, describedBy })}
            />
          </div>
          <Problems id={describedBy} problems={wrong} />
        </>
      )
    case 'duration':
      return (
        <SpanEditor
          span={span}
          days={type === 'DATE' || op === 'anniversary_within'}
          onChange={(next) => onChange({ ...test, span: next })}
          wrong={wrong}
        />
      )
  }
}

/** Problems of the value at a position, with their paths within it. */
function at(problems: readonly Problem[], index: number): readonly Problem[] {
  const own = problems.filter(({ place }) => String(place.path[0]) === String(index))
  return own.map(({ place, pointer, detail }) => ({
    place: { ...place, path: place.path.slice(1) },
    pointer,
    detail,
  }))
}
