import { useId } from 'react'

import { type DataType, readDuration } from '#contract/index.ts'
import { segmentText, valueText } from '../../../messages/index.ts'
import { type Draft, typed } from '../../../domain/values/draft.ts'
import { Choice, Field } from '../../../domain/values/Field.tsx'
import { ValueInput } from '../../../domain/values/ValueInput.tsx'
import { useBuilder } from './builder-context.ts'
import classes from './builder.module.css'
import { inputType, type Operand, type Duration, durationUnits, withForm } from '../draft/nodes.ts'
import { durationOf, durationText } from '../draft/filter-codec.ts'
import type { Issue } from '../draft/filter-draft.ts'
import { Issues } from './Issues.tsx'

const words = segmentText.builder

interface ValueEditorProps {
  readonly type: DataType
  readonly value: Operand
  readonly label: string
  readonly onChange: (value: Operand) => void
  readonly wrong: readonly Issue[]
}

/** One value of a type; of a moment, also one relative to the time of evaluation. */
export function ValueEditor({ type, value, label, onChange, wrong }: ValueEditorProps) {
  const { tz } = useBuilder()
  const { form, draft, duration } = value
  const isRelative = form === 'ago' || form === 'ahead'
  return (
    <>
      {isMoment(type) && (
        <Choice
          label={`${label}: ${words.form.label}`}
          value={form}
          size={12}
          options={forms[type]}
          onChange={(next) => onChange(withForm(value, type, next as Operand['form']))}
        />
      )}
      {isRelative ? (
        <DurationEditor
          duration={duration}
          days={type === 'DATE'}
          onChange={(next) => onChange({ ...value, duration: next })}
          wrong={wrong}
        />
      ) : (
        <div className={classes.value} data-type={inputType(type, value)}>
          {type === 'PREFERENCE' && draft.unfit === undefined && isUndated(draft) ? (
            <StatusChoice
              label={label}
              draft={draft}
              onChange={(next) => onChange({ ...value, draft: next })}
              wrong={wrong}
            />
          ) : (
            <ValueInput
              type={inputType(type, value)}
              draft={draft}
              label={label}
              onChange={(next) => onChange({ ...value, draft: next })}
              issues={wrong.map(({ place: { path }, detail }) => ({ path, detail }))}
            />
          )}
          {form === 'day' && <span className={classes.zone}>{words.zone(tz)}</span>}
        </div>
      )}
    </>
  )
}

/** A filter looks for the status alone, whatever its dates; only JSON asks for a date, and keeps it. */
const isUndated = ({ statusDate, expires }: Draft) => !statusDate && !expires

interface StatusChoiceProps {
  readonly label: string
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  readonly wrong: readonly Issue[]
}

function StatusChoice({ label, draft, onChange, wrong }: StatusChoiceProps) {
  const describedBy = useId()
  return (
    <>
      <Choice
        label={label}
        value={draft.text}
        size={12}
        options={statuses}
        onChange={(next) => onChange(typed(draft, 'text', next))}
        {...(wrong.length > 0 && { invalid: true, describedBy })}
      />
      <Issues id={describedBy} issues={wrong} />
    </>
  )
}

const statuses = [
  { value: '', label: valueText.none },
  ...Object.entries(valueText.status).map(([value, label]) => ({ value, label })),
]

const isMoment = (type: DataType) => type === 'DATE' || type === 'DATETIME'

const formsOf = (names: readonly [Operand['form'], string][]) =>
  names.map(([value, label]) => ({ value, label }))
const relative: [Operand['form'], string][] = [
  ['ago', words.form.ago],
  ['ahead', words.form.ahead],
]
const forms = {
  DATE: formsOf([['value', words.form.value], ...relative]),
  DATETIME: formsOf([['day', words.form.day], ['value', words.form.moment], ...relative]),
}

interface DurationEditorProps {
  readonly duration: Duration
  /** Whole days only. */
  readonly days: boolean
  readonly onChange: (duration: Duration) => void
  readonly wrong: readonly Issue[]
}

/** A length of time: a count of one unit, or ISO 8601 for what is longer to say. */
export function DurationEditor({ duration, days, onChange, wrong }: DurationEditorProps) {
  const { tz } = useBuilder()
  const describedBy = useId()
  const { amount, unit } = duration
  const units = [...durationUnits.filter((each) => !days || !each.startsWith('T')), ''] as const
  return (
    <>
      <div className={classes.duration}>
        <div className={unit === '' ? classes.name : classes.least}>
          <Field
            label={unit === '' ? words.duration.iso : words.duration.amount}
            value={amount}
            inputMode={unit === '' ? 'text' : 'decimal'}
            placeholder={unit === '' ? words.duration.isoPlaceholder : '30'}
            mono={unit === ''}
            onChange={(value) => onChange({ ...duration, amount: value })}
            {...(wrong.length > 0 && { invalid: true, describedBy })}
          />
        </div>
        <Choice
          label={words.duration.unit}
          value={unit}
          size={8}
          options={units.map((value) => ({ value, label: words.duration.units[value] }))}
          onChange={(value) => onChange(withUnit(duration, value as Duration['unit']))}
        />
        {readDuration(durationText(duration))?.exact !== true && (
          <span className={classes.zone}>{words.zone(tz)}</span>
        )}
      </div>
      <Issues id={describedBy} issues={wrong} />
    </>
  )
}

/** To ISO 8601 the duration goes along as it is; back again only where it is a count of one unit. */
function withUnit(duration: Duration, unit: Duration['unit']): Duration {
  if (unit === '') return { amount: durationText(duration) ?? '', unit }
  const { amount } = duration.unit === '' ? durationOf(duration.amount) : duration
  return { amount, unit }
}
