import { IconCalendar, IconClock } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'

import { valueText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import classes from './value.module.css'

// With the default step, a picker would reject a time with seconds.
const pickers = {
  date: { type: 'date', min: '0001-01-01', max: '9999-12-31' },
  datetime: { type: 'datetime-local', min: '0001-01-01T00:00', max: '9999-12-31T23:59', step: 1 },
  time: { type: 'time', step: 1 },
} as const

interface MomentFieldOptions {
  readonly kind: keyof typeof pickers
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Returns the value that a typed text means; the text itself if it means none. */
  readonly read: (text: string) => string
  readonly write: (value: string) => string
  /** Returns the text with which the browser's picker opens; `''` if it opens empty. */
  readonly toPicker: (value: string) => string
  readonly fromPicker: (picked: string) => string
}

/**
 * Text of a field for a date or time, with the browser's picker behind a button. The text stays as typed until the
 * field loses focus, and is then formatted. A value set from outside, as by a preset, replaces it.
 */
export function useMomentField(options: MomentFieldOptions) {
  const { kind, label, value, onChange, read, write, toPicker, fromPicker } = options
  const picker = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string }>()
  const leave = () => setTyped(undefined)
  const pick = () => {
    const input = picker.current
    if (!input) return
    input.value = toPicker(value)
    try {
      input.showPicker()
    } catch {
      // The picker is unavailable, as in an embedded page or an old browser; the text can still be typed.
      input.focus()
    }
  }
  const Icon = kind === 'time' ? IconClock : IconCalendar
  return {
    text: typed?.value === value ? typed.text : write(value),
    type: (text: string) => {
      const next = read(text)
      setTyped({ text, value: next })
      onChange(next)
    },
    leave,
    /** Handles Alt+Down, which opens the picker, as in the browser's own date inputs and in lists. */
    onKeyDown: (event: KeyboardEvent) => {
      if (!event.altKey || event.key !== 'ArrowDown') return
      event.preventDefault()
      pick()
    },
    picker: (
      <>
        <input
          {...pickers[kind]}
          ref={picker}
          className={classes.picker}
          tabIndex={-1}
          aria-hidden
          onChange={({ currentTarget }) => {
            leave()
            onChange(fromPicker(currentTarget.value))
          }}
        />
        <IconButton
          size="small"
          aria-label={valueText.pickFor[kind]({ label })}
          {...hint(valueText.pick[kind])}
          onClick={pick}
        >
          <Icon size={15} stroke={1.75} />
        </IconButton>
      </>
    ),
  }
}
