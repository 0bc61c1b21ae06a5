import { Box, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

import { type DataType, operandOf, type Operator } from '#contract/index.ts'
import { filterBuilderText } from '../../messages/index.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Choice, Field } from '../values/Field.tsx'
import { ValueInput } from '../values/ValueInput.tsx'
import { AddButton } from './AddButton.tsx'
import { useConditionScope } from './condition-context.ts'
import type { FilterIssue } from './draft/filter-draft.ts'
import { comparisonWith, momentText, takesMomentWords, withMomentText } from './draft/moment-words.ts'
import {
  type Comparison,
  inputType,
  newOperand,
  offeredOperators,
  type Operand,
  takesSeveral,
} from './draft/nodes.ts'
import { isWholeComparison, operatorChoices } from './draft/operator-choices.ts'
import { MomentWords } from './MomentWords.tsx'
import { Issues, useIssues, useMarked } from './NodeFieldset.tsx'
import { type OfferedValue, ValueChooser } from './ValueChooser.tsx'
import classes from './NodeFieldset.module.css'

/** Width of an input that takes what remains of its line. */
export const wide = { display: 'grid', flex: '1 1 200px', miw: 'min(160px, 100%)' } as const

/** Text between controls on the same line. */
export function Word({ children }: { readonly children: ReactNode }) {
  return (
    <Text span fz="sm" lh="var(--ds-control-height)">
      {children}
    </Text>
  )
}

export interface ComparisonEditorProps {
  readonly type: DataType
  readonly comparison: Comparison
  readonly onChange: (comparison: Comparison) => void
  /** Issues of the node that the comparison belongs to. */
  readonly issues: readonly FilterIssue[]
  /** Operators to offer; by default, those that the service offers for the type. */
  readonly operators?: readonly Operator[]
  /** Values to choose from. */
  readonly offered?: readonly OfferedValue[]
  /** Whether the offered values are all that there can be. */
  readonly isClosed?: boolean
}

export function ComparisonEditor(props: ComparisonEditorProps) {
  const { type, comparison, onChange, issues } = props
  const misapplied = useIssues(issues)('op', 'type')
  const { isInline } = useConditionScope()
  return (
    <>
      {isInline ? <OperatorSelect {...props} {...misapplied.control} /> : <OperatorPills {...props} />}
      <Operands
        {...props}
        type={type}
        comparison={comparison}
        onChange={onChange}
        issues={issues.filter(({ position }) => position.control === 'value')}
      />
      {misapplied.message}
    </>
  )
}

interface OperatorProps extends Pick<
  ComparisonEditorProps,
  'type' | 'comparison' | 'onChange' | 'operators'
> {
  readonly invalid?: boolean
  readonly describedBy?: string
}

function OperatorSelect(props: OperatorProps) {
  const { type, comparison, onChange, operators = offeredOperators(type), invalid, describedBy } = props
  const { choices, id } = operatorChoices(type, comparison, operators)
  const chosen = choices.find((each) => each.id === id)
  return (
    <Choice
      label={filterBuilderText.operator}
      value={id}
      // The select fits the operator's full name, however long it is.
      size={Math.max(16, chosen?.label.length ?? 0)}
      options={choices.map((each) => ({ value: each.id, label: each.label }))}
      onChange={(next) => {
        const choice = choices.find((each) => each.id === next)
        if (choice) onChange(choice.choose(comparison))
      }}
      invalid={invalid}
      describedBy={describedBy}
    />
  )
}

/** Comparisons side by side, so that one press chooses one. A press on one that needs no value applies it. */
function OperatorPills({ type, comparison, onChange, operators = offeredOperators(type) }: OperatorProps) {
  const { take, toValue } = useConditionScope()
  const name = useId()
  const { choices, id } = operatorChoices(type, comparison, operators)
  return (
    <div role="radiogroup" aria-label={filterBuilderText.operator} className={classes.pills}>
      {choices.map((choice) => (
        <label key={choice.id} className={classes.pill}>
          <input
            type="radio"
            name={name}
            checked={choice.id === id}
            onChange={() => onChange(choice.choose(comparison))}
            onClick={({ detail, currentTarget }) => {
              // Arrow keys choose too, with a click that no pointer made.
              if (detail === 0) return
              if (choice.isWhole) take()
              else toValue(currentTarget)
            }}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}

type OperandsProps = Omit<ComparisonEditorProps, 'operators'>

function Operands(props: OperandsProps) {
  const { type, comparison, onChange, issues, offered = [], isClosed = false } = props
  const { take } = useConditionScope()
  const { op, fragment } = comparison
  const { control, message } = useMarked(issues)
  const common = { label: filterBuilderText.value, onTake: take, ...control }
  switch (operandOf(op)) {
    case 'none':
      return null
    case 'range':
      return (
        <>
          {renderOperand(props, 0, filterBuilderText.from)}
          <Word>{filterBuilderText.and}</Word>
          {renderOperand(props, 1, filterBuilderText.to)}
          <Issues issues={issuesOfWhole(issues)} />
        </>
      )
    case 'fragment':
      return (
        <>
          <Box {...wide} data-operand>
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
    case 'value':
    case 'list':
      if (isWholeComparison(type, comparison)) return null
      if (!takesMomentWords(type, op) && !takesSeveral(type, op)) return <Values {...props} />
      return (
        <>
          <Box {...wide} data-operand>
            {takesSeveral(type, op) ? (
              <ValueChooser {...{ type, comparison, onChange, offered, isClosed }} {...common} />
            ) : (
              <MomentWords
                type={type}
                op={op}
                value={momentText(type, comparison)}
                onText={(text) => onChange(withMomentText(type, comparison, text))}
                onTest={(test) => onChange(comparisonWith(type, test))}
                {...common}
              />
            )}
          </Box>
          {takesMomentWords(type, op) && <Zone />}
          {message}
        </>
      )
  }
}

/** Editor of one value, or of each of a list, whose type has inputs of its own. */
function Values(props: OperandsProps) {
  const { type, comparison, onChange, issues } = props
  const { op, values } = comparison
  const setValues = (next: readonly Operand[]) => onChange({ ...comparison, values: next })
  if (operandOf(op) !== 'list') return renderOperand(props, 0, filterBuilderText.value, issues)
  return (
    <Stack gap={4} flex="1 1 240px">
      {values.map((value, index) => (
        <Group key={value.id} gap={4} align="flex-start">
          {renderOperand(props, index, filterBuilderText.nthValue({ place: String(index + 1) }))}
          {values.length > 1 && (
            <RemoveButton
              label={filterBuilderText.removeValue({ place: String(index + 1) })}
              onClick={() => setValues(values.filter((each) => each !== value))}
            />
          )}
        </Group>
      ))}
      <AddButton onClick={() => setValues([...values, newOperand(type)])}>
        {filterBuilderText.addValue}
      </AddButton>
      <Issues issues={issuesOfWhole(issues)} />
    </Stack>
  )
}

/** Renders one operand. Without `own`, it shows the issues at its own index, with their paths relative to it. */
function renderOperand(props: OperandsProps, index: number, label: string, own?: readonly FilterIssue[]) {
  const { type, comparison, onChange, issues } = props
  const { values } = comparison
  const value = values[index]
  const atIndex = issues.filter(({ position }) => String(position.path[0]) === String(index))
  return (
    value && (
      <OperandEditor
        type={type}
        value={value}
        label={label}
        onChange={(next) => onChange({ ...comparison, values: values.with(index, next) })}
        issues={
          own ??
          atIndex.map(({ position, pointer, detail }) => ({
            position: { ...position, path: position.path.slice(1) },
            pointer,
            detail,
          }))
        }
      />
    )
  )
}

const issuesOfWhole = (issues: readonly FilterIssue[]) =>
  issues.filter(({ position }) => position.path.length === 0)

/** Time zone in which days begin, shown beside a condition that counts days. */
function Zone() {
  return (
    <Text span c="dimmed" fz="xs" lh="var(--ds-control-height)" style={{ whiteSpace: 'nowrap' }} data-zone>
      {filterBuilderText.zone({ zone: useConditionScope().tz })}
    </Text>
  )
}

interface OperandEditorProps {
  readonly type: DataType
  readonly value: Operand
  readonly label: string
  readonly onChange: (value: Operand) => void
  readonly issues: readonly FilterIssue[]
}

/** Editor of one value of a type. A date or moment is written in words. */
function OperandEditor({ type, value, label, onChange, issues }: OperandEditorProps) {
  const { control, message } = useMarked(issues)
  if (type === 'DATE' || type === 'DATETIME') {
    const bound: Comparison = {
      op: 'before',
      values: [value],
      fragment: '',
      duration: { amount: '', unit: 'D' },
    }
    const set = ({ values: [next] }: Comparison) => next && onChange({ ...next, id: value.id })
    return (
      <Box {...wide} data-operand>
        <MomentWords
          type={type}
          op="before"
          label={label}
          value={momentText(type, bound)}
          onText={(text) => set(withMomentText(type, bound, text))}
          onTest={(test) => set(comparisonWith(type, test))}
          {...control}
        />
        {message}
      </Box>
    )
  }
  return (
    <div className={classes.value} data-type={inputType(type, value)} data-operand>
      <ValueInput
        type={inputType(type, value)}
        draft={value.draft}
        label={label}
        blank={filterBuilderText.value}
        onChange={(draft) => onChange({ ...value, draft })}
        issues={issues.map(({ position: { path }, detail }) => ({ path, detail }))}
      />
    </div>
  )
}

export function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <IconButton aria-label={label} hinted onClick={onClick}>
      <IconX size={15} stroke={1.75} />
    </IconButton>
  )
}
