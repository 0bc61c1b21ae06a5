import { SegmentedControl } from '@mantine/core'

import { valueText } from '../../messages/index.ts'
import classes from './value.module.css'

interface TrueOrFalseProps {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onBlur?: (() => void) | undefined
  readonly readOnly: boolean
  readonly invalid: boolean
  readonly describedBy?: string | undefined
}

/** True, false, or no value: three states, so no switch. */
export function TrueOrFalse(props: TrueOrFalseProps) {
  const {
    label,
    placeholder = valueText.none,
    value,
    invalid,
    describedBy,
    onChange,
    onBlur,
    readOnly,
  } = props
  const word = value.trim().toLowerCase()
  const options = [
    { value: 'true', label: valueText.true },
    { value: 'false', label: valueText.false },
    { value: '', label: placeholder },
  ]
  return (
    <>
      <SegmentedControl
        {...{ onChange, onBlur, readOnly }}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        data={options}
        value={word}
        className={classes.choice ?? ''}
      />
      {options.every((option) => option.value !== word) && (
        <span className={classes.note}>{valueText.neither(value)}</span>
      )}
    </>
  )
}
