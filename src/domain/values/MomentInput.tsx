import { TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { readValue } from '#contract/index.ts'

import { valueText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isMoment, momentInFull } from '../../ui/moments.tsx'
import { readings } from './readings.ts'
import classes from './value.module.css'

export interface MomentInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /**
   * Date and time without a zone, `2024-03-01T09:30:00`, in the zone that the label names; or the text as typed, if it
   * is not a moment.
   */
  readonly value: string
  readonly onChange: (value: string) => void
}

/**
 * Input for a date and time. It accepts the console's own format, ISO 8601 and any other unambiguous format, or a
 * choice from the browser's picker. The value is formatted in full when the input loses focus.
 */
export function MomentInput({ value, onChange, onBlur, ...props }: MomentInputProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string }>()
  const label = typeof props.label === 'string' ? props.label : ''
  // A value set from outside, as by a preset, replaces the typed text.
  const text = typed?.value === value ? typed.text : momentInFull(value)
  const pick = () => {
    const input = picker.current
    if (!input) return
    input.value = isMoment(value) ? value : ''
    try {
      input.showPicker()
    } catch {
      // The picker is unavailable, as in an embedded page or an old browser; the text can still be typed.
      input.focus()
    }
  }
  return (
    <TextInput
      autoComplete="off"
      placeholder={momentExample}
      {...props}
      value={text}
      onChange={({ currentTarget }) => {
        const next = readMoment(currentTarget.value)
        setTyped({ text: currentTarget.value, value: next })
        onChange(next)
      }}
      onBlur={(event) => {
        if (isMoment(value)) setTyped(undefined)
        onBlur?.(event)
      }}
      onKeyDown={(event) => {
        // Alt+Down opens the picker, as in the browser's own date inputs.
        if (!event.altKey || event.key !== 'ArrowDown') return
        event.preventDefault()
        pick()
      }}
      rightSectionPointerEvents="all"
      rightSection={
        <>
          <input
            ref={picker}
            className={classes.picker}
            type="datetime-local"
            step={1}
            min="0001-01-01T00:00"
            max="9999-12-31T23:59"
            tabIndex={-1}
            aria-hidden
            onChange={({ currentTarget }) => {
              setTyped(undefined)
              onChange(readMoment(currentTarget.value))
            }}
          />
          <IconButton
            size="small"
            aria-label={valueText.pickFor.datetime({ label })}
            {...hint(valueText.pick.datetime)}
            onClick={pick}
          >
            <IconCalendar size={15} stroke={1.75} />
          </IconButton>
        </>
      }
    />
  )
}

const momentExample = valueText.example({ example: momentInFull('2024-03-01T09:30:00') })

/**
 * Parses unambiguous text into the form `2024-03-01T09:30:00`; a date alone means its first moment. Returns any other
 * text unchanged.
 */
export function readMoment(typed: string): string {
  const text = typed.replace(/\s+/g, ' ').trim()
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?)?$/.exec(text)
  const [only, ...others] = iso
    ? [`${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? ':00'}`]
    : [
        ...readings('DATETIME', { text }).map((read) => read.text),
        ...readings('DATE', { text }).map((read) => `${read.text}T00:00:00Z`),
      ].map((read) => read.replace(/Z$/, '').replace(/T(\d{2}:\d{2})$/, 'T$1:00'))
  const isOne = only !== undefined && others.every((other) => other === only)
  return isOne && isMoment(only) && !readValue('DATETIME', `${only}Z`).issues ? only : typed
}
