import { Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { type DataType, readDuration } from '#contract/index.ts'
import { filterBuilderText, valueText } from '../../messages/index.ts'
import { type Draft, typed } from '../values/draft.ts'
import { Choice, Field } from '../values/Field.tsx'
import { ValueInput } from '../values/ValueInput.tsx'
import { durationOf, durationText } from './draft/filter-codec.ts'
import type { FilterIssue } from './draft/filter-draft.ts'
import { type Duration, durationUnits, inputType, type Operand, withForm } from './draft/nodes.ts'
import { useConditionPlace } from './condition-context.ts'
import classes from './builder.module.css'
import { useMarked } from './Issues.tsx'

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

/** Time zone in which days begin, shown beside a condition that counts days. */
function Zone() {
  return (
    <Text span c="dimmed" fz="xs" lh="var(--ds-control-height)" style={{ whiteSpace: 'nowrap' }} data-zone>
      {filterBuilderText.zone({ zone: useConditionPlace().tz })}
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
export function OperandEditor({ type, value, label, onChange, issues }: OperandEditorProps) {
  const { form, draft, duration } = value
  const setDraft = (next: Draft) => onChange({ ...value, draft: next })
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
          {/* The builder offers only the status of a preference. If a date was set in JSON, all inputs are shown. */}
          {type === 'PREFERENCE' && !draft.unfit && !draft.statusDate && !draft.expires ? (
            <StatusChoice label={label} draft={draft} onChange={setDraft} issues={issues} />
          ) : (
            <ValueInput
              type={inputType(type, value)}
              draft={draft}
              label={label}
              onChange={setDraft}
              issues={issues.map(({ place: { path }, detail }) => ({ path, detail }))}
            />
          )}
          {form === 'day' && <Zone />}
        </div>
      )}
    </>
  )
}

interface StatusChoiceProps extends Pick<OperandEditorProps, 'label' | 'issues'> {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

function StatusChoice({ label, draft, onChange, issues }: StatusChoiceProps) {
  const { control, message } = useMarked(issues)
  return (
    <>
      <Choice
        label={label}
        value={draft.text}
        size={12}
        options={statuses}
        onChange={(next) => onChange(typed(draft, 'text', next))}
        {...control}
      />
      {message}
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
export function DurationEditor({ duration, days, onChange, issues }: DurationEditorProps) {
  const { control, message } = useMarked(issues)
  const { amount, unit } = duration
  const isIso = unit === ''
  const units = [...durationUnits.filter((each) => !days || !each.startsWith('T')), ''] as const
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Box {...(isIso ? named : least)}>
          <Field
            label={isIso ? filterBuilderText.duration.iso : filterBuilderText.duration.amount}
            value={amount}
            inputMode={isIso ? 'text' : 'decimal'}
            placeholder={
              isIso ? filterBuilderText.duration.isoPlaceholder : filterBuilderText.duration.amountPlaceholder
            }
            mono={isIso}
            onChange={(value) => onChange({ ...duration, amount: value })}
            {...control}
          />
        </Box>
        <Choice
          label={filterBuilderText.duration.unit}
          value={unit}
          size={8}
          options={units.map((value) => ({ value, label: filterBuilderText.duration.units[value] }))}
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
