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
  /** A date and time without a zone, `2024-03-01T09:30:00`, in the zone that the label names; else what was typed. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/**
 * A date and time as every page of the console writes them, typed in that way, in ISO 8601 or in any other that means one moment
 * alone, or picked in the browser's calendar. It is written in full once the field is left.
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
      // No picker here (an embedded page, an old browser): the text can be typed.
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

/** `2024-03-01T09:30:00` for what means that and nothing else; a day alone is its first moment. What is none stays as it is. */
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
