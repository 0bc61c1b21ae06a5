import { IconCalendar, IconClock } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { valueText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { readMoment, writeMoment } from './written-moments.ts'
import classes from './value.module.css'

const momentKinds = {
  date: {
    size: 14,
    type: 'DATE',
    placeholder: valueText.example({ example: writeMoment('DATE', '2024-03-01') }),
    pattern: /^\d{4}-\d{2}-\d{2}$/,
  },
  datetime: {
    size: 24,
    type: 'DATETIME',
    placeholder: valueText.example({ example: writeMoment('DATETIME', '2024-03-01T09:30:00Z') }),
    pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?=Z$)/,
  },
  time: {
    size: 12,
    type: undefined,
    placeholder: valueText.example({ example: '09:30' }),
    pattern: /^\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?$/,
  },
} as const

export interface MomentFieldProps extends FieldProps {
  readonly kind: keyof typeof momentKinds
}

/**
 * Text field for a date or time, with the browser's picker behind a button. Text can be pasted, and incomplete or
 * invalid text is not lost. Unambiguous text becomes the stored form as the field's value; when the field loses focus,
 * it is formatted as everywhere on the page. A datetime is picked and shown in UTC.
 */
export function MomentField({ kind, ...field }: MomentFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const { size, type, placeholder, pattern } = momentKinds[kind]
  const text = useWritten(field.value, field.onChange, type)
  const [isFocused, setFocused] = useState(false)
  const Icon = kind === 'time' ? IconClock : IconCalendar
  const pick = () => {
    const input = picker.current
    if (!input) return
    input.value = pattern.exec(field.value.trim())?.[0] ?? ''
    try {
      input.showPicker()
    } catch {
      // The picker is unavailable, as in an embedded page or an old browser; the text can still be typed.
      input.focus()
    }
  }
  return (
    <Field
      size={size}
      {...field}
      value={text.shown}
      onChange={text.type}
      // The format appears as the placeholder while the field has focus.
      placeholder={isFocused ? placeholder : (field.placeholder ?? placeholder)}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false)
        text.leave()
        field.onBlur?.()
      }}
      onKeyDown={(event) => {
        // Alt+Down opens the picker, as in the browser's own date inputs and in lists.
        if (!event.altKey || event.key !== 'ArrowDown' || field.readOnly === true) return
        event.preventDefault()
        pick()
      }}
      right={
        field.readOnly === true ? undefined : (
          <>
            <input
              ref={picker}
              className={classes.picker}
              type={kind === 'datetime' ? 'datetime-local' : kind}
              // With the default step, the picker would reject a time with seconds.
              step={kind === 'date' ? undefined : 1}
              min={kind === 'time' ? undefined : kind === 'date' ? '0001-01-01' : '0001-01-01T00:00'}
              max={kind === 'time' ? undefined : kind === 'date' ? '9999-12-31' : '9999-12-31T23:59'}
              tabIndex={-1}
              aria-hidden
              onChange={(event) => {
                const picked = event.currentTarget.value
                text.leave()
                field.onChange(kind === 'datetime' ? asUtc(picked) : picked)
              }}
            />
            <IconButton
              size="small"
              aria-label={valueText.pickFor[kind]({ label: field.label })}
              {...hint(valueText.pick[kind])}
              onClick={pick}
            >
              <Icon size={15} stroke={1.75} />
            </IconButton>
          </>
        )
      }
    />
  )
}

/**
 * Keeps the text as typed until the field loses focus, while the value is its stored form. Other values are formatted.
 */
function useWritten(value: string, onChange: (value: string) => void, type: 'DATE' | 'DATETIME' | undefined) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string }>()
  return {
    shown: typed?.value === value ? typed.text : type ? writeMoment(type, value) : value,
    type: (text: string) => {
      const next = type ? readMoment(type, text) : text
      setTyped({ text, value: next })
      onChange(next)
    },
    leave: () => setTyped(undefined),
  }
}

function asUtc(picked: string): string {
  if (picked === '') return ''
  return `${picked.length === 16 ? `${picked}:00` : picked}Z`
}
