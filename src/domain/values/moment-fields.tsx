import { TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar, IconClock } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'

import { isMoment, parseMoment } from '#contract/reading/moments.ts'
import { language, valueText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { momentInFull } from '../../ui/moments.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { readMoment } from './settling.ts'
import { writeMoment } from './written-moments.ts'
import classes from './ValueInput.module.css'

const example = (moment: string) => valueText.example({ example: moment })

// Placeholders are functions: the formats that write them take time to create, and most pages show no such field.
const momentKinds = {
  date: {
    size: 14,
    type: 'DATE',
    placeholder: () => example(writeMoment('DATE', '2024-03-01')),
    pattern: /^\d{4}-\d{2}-\d{2}$/,
  },
  datetime: {
    size: 24,
    type: 'DATETIME',
    placeholder: () => example(writeMoment('DATETIME', '2024-03-01T09:30:00Z')),
    pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?=Z$)/,
  },
  time: {
    size: 12,
    type: undefined,
    placeholder: () => example('09:30'),
    pattern: /^\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?$/,
  },
} as const

export interface MomentFieldProps extends FieldProps {
  readonly kind: keyof typeof momentKinds
  /** Whether milliseconds, which nobody chose, are left out. The stored ones stay until another moment is typed. */
  readonly isToSecond?: boolean
}

/**
 * Text field for a date or time. Text can be pasted, and incomplete or invalid text is not lost. The value is the
 * stored form if the text is unambiguous. A datetime is picked and shown in UTC.
 */
export function MomentField({ kind, isToSecond = false, ...field }: MomentFieldProps) {
  const { size, type, placeholder, pattern } = momentKinds[kind]
  const [isFocused, setFocused] = useState(false)
  const moment = useMomentField({
    ...field,
    kind,
    read: (text) => (type ? readMoment(type, text) : text),
    write: (value) => (type ? writeMoment(type, isToSecond ? value.replace(/\.\d+Z$/, 'Z') : value) : value),
    toPicker: (value) => pattern.exec(value.trim())?.[0] ?? '',
    fromPicker: kind === 'datetime' ? toUtc : String,
  })
  return (
    <Field
      size={size}
      {...field}
      value={moment.text}
      onChange={moment.type}
      // The format appears as the placeholder while the field has focus.
      placeholder={isFocused ? placeholder() : (field.placeholder ?? placeholder())}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false)
        moment.leave()
        field.onBlur?.()
      }}
      {...(field.readOnly !== true && { onKeyDown: moment.onKeyDown, right: moment.picker })}
    />
  )
}

function toUtc(picked: string): string {
  if (picked === '') return ''
  return `${picked.length === 16 ? `${picked}:00` : picked}Z`
}

interface MomentInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Moment such as `2024-03-01T09:30:00`, in the zone of the label; or the text as typed, if it is no moment. */
  readonly value: string
  readonly onChange: (value: string) => void
}

const readTyped = (text: string) => parseMoment(text, language)

/** Input for a date and time in any unambiguous format, or by the browser's picker. */
export function MomentInput({ value, onChange, onBlur, ...props }: MomentInputProps) {
  const moment = useMomentField({
    kind: 'datetime',
    label: typeof props.label === 'string' ? props.label : '',
    value,
    onChange,
    read: readTyped,
    write: momentInFull,
    toPicker: (from) => (isMoment(from) ? from : ''),
    fromPicker: readTyped,
  })
  return (
    <TextInput
      {...props}
      placeholder={props.placeholder ?? example(momentInFull('2024-03-01T09:30:00'))}
      value={moment.text}
      onChange={({ currentTarget }) => moment.type(currentTarget.value)}
      onBlur={(event) => {
        moment.leave()
        onBlur?.(event)
      }}
      onKeyDown={moment.onKeyDown}
      rightSectionPointerEvents="all"
      rightSection={moment.picker}
    />
  )
}

// With the default step, a picker would reject a time with seconds.
const pickers = {
  date: { type: 'date', min: '0001-01-01', max: '9999-12-31' },
  datetime: { type: 'datetime-local', min: '0001-01-01T00:00', max: '9999-12-31T23:59', step: 1 },
  time: { type: 'time', step: 1 },
} as const

interface MomentFieldOptions extends Pick<FieldProps, 'label' | 'value' | 'onChange'> {
  readonly kind: keyof typeof pickers
  /** Returns the value that a typed text means; the text itself if it means none. */
  readonly read: (text: string) => string
  readonly write: (value: string) => string
  /** Returns the text with which the browser's picker opens; `''` if it opens empty. */
  readonly toPicker: (value: string) => string
  readonly fromPicker: (picked: string) => string
}

interface Typed {
  readonly text: string
  readonly value: string
  /** Value that typing began with. */
  readonly before: string
}

/** Text of a field with the browser's picker. It stays as typed until the field loses focus or its value is set. */
function useMomentField(options: MomentFieldOptions) {
  const { kind, label, value, onChange, read, write, toPicker, fromPicker } = options
  const picker = useRef<HTMLInputElement>(null)
  const [last, setTyped] = useState<Typed>()
  const typed = last?.value === value ? last : undefined
  // The text of the value that typing began with means all of it, though it may show less.
  const before = typed?.before ?? value
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
    text: typed?.text ?? write(value),
    type: (text: string) => {
      const next = text === write(before) ? before : read(text)
      setTyped({ text, value: next, before })
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
          autoComplete="off"
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
