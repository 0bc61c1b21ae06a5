import { Box, Button, Group, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { type DataType, operandOf, type Operator } from '#contract/index.ts'
import { filterBuilderText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Choice, Field } from '../values/Field.tsx'
import type { FilterIssue } from './draft/filter-draft.ts'
import { type Comparison, newOperand, offeredOperators, type Operand, withOperator } from './draft/nodes.ts'
import { Issues, useIssues, useMarked } from './Issues.tsx'
import { DurationEditor, OperandEditor, wide, Word } from './OperandEditor.tsx'

export interface ComparisonEditorProps {
  readonly type: DataType
  readonly comparison: Comparison
  readonly onChange: (comparison: Comparison) => void
  /** Issues of the node that the comparison belongs to. */
  readonly issues: readonly FilterIssue[]
  /** Operators to offer; by default, those that the service offers for the type. */
  readonly operators?: readonly Operator[]
}

export function ComparisonEditor(props: ComparisonEditorProps) {
  const { type, comparison, onChange, issues, operators = offeredOperators(type) } = props
  const { op } = comparison
  const misapplied = useIssues(issues)('op', 'type')
  const offered = operators.includes(op) ? operators : [op, ...operators]
  const operatorName = (operator: Operator) =>
    type === 'TIME' && operator === 'on' ? filterBuilderText.timeIs : filterBuilderText.operators[operator]
  return (
    <>
      <Choice
        label={filterBuilderText.operator}
        value={op}
        // The select fits the operator's full name, however long it is.
        size={Math.max(16, operatorName(op).length)}
        options={offered.map((value) => ({ value, label: operatorName(value) }))}
        onChange={(value) => onChange(withOperator(comparison, type, value as Operator))}
        {...misapplied.control}
      />
      <Operands
        type={type}
        comparison={comparison}
        onChange={onChange}
        issues={issues.filter(({ place }) => place.control === 'value')}
      />
      {misapplied.message}
    </>
  )
}

type OperandsProps = Omit<ComparisonEditorProps, 'operators'>

function Operands(props: OperandsProps) {
  const { type, comparison, onChange, issues } = props
  const { op, fragment, duration } = comparison
  const { control, message } = useMarked(issues)
  switch (operandOf(op)) {
    case 'none':
      return null
    case 'value':
      return renderOperand(props, 0, filterBuilderText.value, issues)
    case 'range':
      return (
        <>
          {renderOperand(props, 0, filterBuilderText.from)}
          <Word>{filterBuilderText.and}</Word>
          {renderOperand(props, 1, filterBuilderText.to)}
          <Issues issues={issuesOfWhole(issues)} />
        </>
      )
    case 'list':
      return <OperandList {...props} />
    case 'fragment':
      return (
        <>
          <Box {...wide}>
            <Field
              label={filterBuilderText.value}
              value={fragment}
              onChange={(value) => onChange({ ...comparison, fragment: value })}
              {...control}
            />
          </Box>
          {message}
        </>
      )
    case 'duration':
      return (
        <DurationEditor
          duration={duration}
          days={type === 'DATE' || op === 'anniversary_within'}
          onChange={(next) => onChange({ ...comparison, duration: next })}
          issues={issues}
        />
      )
  }
}

function OperandList(props: OperandsProps) {
  const { type, comparison, onChange, issues } = props
  const { values } = comparison
  const set = (next: readonly Operand[]) => onChange({ ...comparison, values: next })
  return (
    <Stack gap={4} flex="1 1 240px">
      {values.map((value, index) => (
        <Group key={value.id} gap={4} align="flex-start">
          {renderOperand(props, index, filterBuilderText.nthValue({ place: String(index + 1) }))}
          {values.length > 1 && (
            <IconButton
              aria-label={filterBuilderText.removeValue({ place: String(index + 1) })}
              {...hint(filterBuilderText.removeValue({ place: String(index + 1) }))}
              onClick={() => set(values.filter((each) => each !== value))}
            >
              <IconX size={15} stroke={1.75} />
            </IconButton>
          )}
        </Group>
      ))}
      <AddButton onClick={() => set([...values, newOperand(type)])}>{filterBuilderText.addValue}</AddButton>
      <Issues issues={issuesOfWhole(issues)} />
    </Stack>
  )
}

interface AddButtonProps {
  readonly label?: string
  readonly onClick: () => void
  readonly children: ReactNode
  readonly 'data-tests'?: string
}

export function AddButton({ label, ...rest }: AddButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={label}
      leftSection={<IconPlus size={13} aria-hidden />}
      style={{ alignSelf: 'flex-start' }}
      {...rest}
    />
  )
}

/** Renders one operand. Without `own`, it shows the issues at its own index, with their paths relative to it. */
function renderOperand(props: OperandsProps, index: number, label: string, own?: readonly FilterIssue[]) {
  const { type, comparison, onChange, issues } = props
  const { values } = comparison
  const value = values[index]
  const atIndex = issues.filter(({ place }) => String(place.path[0]) === String(index))
  return (
    value && (
      <OperandEditor
        type={type}
        value={value}
        label={label}
        onChange={(next) => onChange({ ...comparison, values: values.with(index, next) })}
        issues={
          own ??
          atIndex.map(({ place, pointer, detail }) => ({
            place: { ...place, path: place.path.slice(1) },
            pointer,
            detail,
          }))
        }
      />
    )
  )
}

const issuesOfWhole = (issues: readonly FilterIssue[]) =>
  issues.filter(({ place }) => place.path.length === 0)
