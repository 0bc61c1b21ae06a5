import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { type DataType, operandOf, type Operator, readDuration } from '#contract/index.ts'
import { filterBuilderText, valueText } from '../../messages/index.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { type Draft, typeText } from '../values/draft.ts'
import { Choice, Field } from '../values/Field.tsx'
import { ValueInput } from '../values/ValueInput.tsx'
import { useConditionScope } from './condition-context.ts'
import { durationOf, durationText } from './draft/filter-codec.ts'
import type { FilterIssue } from './draft/filter-draft.ts'
import {
  type Comparison,
  type Duration,
  durationUnits,
  inputType,
  newOperand,
  offeredOperators,
  type Operand,
  withForm,
  withOperator,
} from './draft/nodes.ts'
import { Issues, useIssues, useMarked } from './NodeFieldset.tsx'
import classes from './NodeFieldset.module.css'

// Widths of the inputs on a line: `least` is fixed, `named` may shrink, and `wide` takes the remaining width.
export const least = { display: 'flex', flex: '0 0 64px' } as const
export const named = { display: 'flex', flex: '0 1 160px', miw: 120 } as const
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
        issues={issues.filter(({ position }) => position.control === 'value')}
      />
      {misapplied.message}
    </>
  )
}

type OperandsProps = Omit<ComparisonEditorProps, 'operators'>

function Operands(props: OperandsProps) {
  const { type, comparison, onChange, issues } = props
  const { op, values, fragment, duration } = comparison
  const { control, message } = useMarked(issues)
  const setValues = (next: readonly Operand[]) => onChange({ ...comparison, values: next })
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

/** Editor of one value of a type. A moment may also be relative to the time of evaluation. */
function OperandEditor({ type, value, label, onChange, issues }: OperandEditorProps) {
  const { form, draft, duration } = value
  const { control, message } = useMarked(issues)
  const setDraft = (next: Draft) => onChange({ ...value, draft: next })
  // The builder offers only the status of a preference. If a date was set in JSON, all inputs are shown.
  const isStatus = type === 'PREFERENCE' && !draft.unfit && !draft.statusDate && !draft.expires
  return (
    <>
      {(type === 'DATE' || type === 'DATETIME') && (
        <Choice
          label={filterBuilderText.form.label({ operand: label })}
          value={form}
          size={12}
          options={forms[type]}
          onChange={(next) => onChange(withForm(value, type, next as Operand['form']))}
        />
      )}
      {form === 'ago' || form === 'ahead' ? (
        <DurationEditor
          duration={duration}
          days={type === 'DATE'}
          onChange={(next) => onChange({ ...value, duration: next })}
          issues={issues}
        />
      ) : (
        <div className={classes.value} data-type={inputType(type, value)}>
          {isStatus ? (
            <>
              <Choice
                label={label}
                value={draft.text}
                size={12}
                options={statuses}
                onChange={(next) => setDraft(typeText(draft, 'text', next))}
                {...control}
              />
              {message}
            </>
          ) : (
            <ValueInput
              type={inputType(type, value)}
              draft={draft}
              label={label}
              onChange={setDraft}
              issues={issues.map(({ position: { path }, detail }) => ({ path, detail }))}
            />
          )}
          {form === 'day' && <Zone />}
        </div>
      )}
    </>
  )
}

const statuses = [
  { value: '', label: valueText.none },
  ...Object.entries(valueText.status).map(([value, label]) => ({ value, label })),
]

const { value: date, moment, day, ago, ahead } = filterBuilderText.form
const relative = [
  { value: 'ago', label: ago },
  { value: 'ahead', label: ahead },
]
const forms = {
  DATE: [{ value: 'value', label: date }, ...relative],
  DATETIME: [{ value: 'day', label: day }, { value: 'value', label: moment }, ...relative],
}

interface DurationEditorProps {
  readonly duration: Duration
  /** Whether only whole days are allowed. */
  readonly days: boolean
  readonly onChange: (duration: Duration) => void
  readonly issues: readonly FilterIssue[]
}

/** Editor of a duration: a count of one unit, or ISO 8601 for anything more complex. */
function DurationEditor({ duration, days, onChange, issues }: DurationEditorProps) {
  const { control, message } = useMarked(issues)
  const { amount, unit } = duration
  const isIso = unit === ''
  const text = filterBuilderText.duration
  const units = [...durationUnits.filter((each) => !days || !each.startsWith('T')), ''] as const
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Box {...(isIso ? named : least)}>
          <Field
            label={isIso ? text.iso : text.amount}
            value={amount}
            inputMode={isIso ? 'text' : 'decimal'}
            placeholder={isIso ? text.isoPlaceholder : text.amountPlaceholder}
            mono={isIso}
            onChange={(value) => onChange({ ...duration, amount: value })}
            {...control}
          />
        </Box>
        <Choice
          label={text.unit}
          value={unit}
          size={8}
          options={units.map((value) => ({ value, label: text.units[value] }))}
          onChange={(value) => onChange(withUnit(duration, value as Duration['unit']))}
        />
        {readDuration(durationText(duration))?.exact !== true && <Zone />}
      </Group>
      {message}
    </>
  )
}

/**
 * Changes the unit of a duration and keeps the amount. Switching to ISO 8601 writes both as one text; switching back
 * takes the amount out of a text that counts one unit, and keeps any other text.
 */
function withUnit(duration: Duration, unit: Duration['unit']): Duration {
  if (unit === '') return { amount: durationText(duration) ?? '', unit }
  return { amount: (duration.unit === '' ? durationOf(duration.amount) : duration).amount, unit }
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

export function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <IconButton aria-label={label} hinted onClick={onClick}>
      <IconX size={15} stroke={1.75} />
    </IconButton>
  )
}
