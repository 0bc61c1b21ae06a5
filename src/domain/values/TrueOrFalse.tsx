import { useId } from 'react'

import { values } from '../../messages/index.ts'
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
export function TrueOrFalse({
  label,
  placeholder = values.none,
  value,
  onChange,
  onBlur,
  readOnly,
  invalid,
  describedBy,
}: TrueOrFalseProps) {
  const name = useId()
  const word = value.trim().toLowerCase()
  return (
    <>
      <div
        role="radiogroup"
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className={classes.segmented}
        data-invalid={invalid || undefined}
      >
        {(['true', 'false', ''] as const).map((option) => (
          <label key={option} className={classes.segment} data-none={option === '' || undefined}>
            <input
              type="radio"
              className="ds-visually-hidden"
              name={name}
              checked={word === option}
              disabled={readOnly && word !== option}
              onChange={() => onChange(option)}
              onBlur={onBlur}
            />
            {option === '' ? placeholder : values[option]}
          </label>
        ))}
      </div>
      {word !== '' && word !== 'true' && word !== 'false' && (
        <span className={classes.note}>{values.neither(value)}</span>
      )}
    </>
  )
}
