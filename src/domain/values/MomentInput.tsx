import { TextInput, type TextInputProps } from '@mantine/core'

import { readValue } from '#contract/index.ts'

import { valueText } from '../../messages/index.ts'
import { isMoment, momentInFull } from '../../ui/moments.tsx'
import { readings } from './parse-input.ts'
import { useMomentField } from './use-moment-field.tsx'

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
 * choice from the browser's picker.
 */
export function MomentInput({ value, onChange, onBlur, ...props }: MomentInputProps) {
  const moment = useMomentField({
    kind: 'datetime',
    label: typeof props.label === 'string' ? props.label : '',
    value,
    onChange,
    read: parseMoment,
    write: momentInFull,
    toPicker: (from) => (isMoment(from) ? from : ''),
    fromPicker: parseMoment,
  })
  return (
    <TextInput
      autoComplete="off"
      placeholder={momentExample}
      {...props}
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

const momentExample = valueText.example({ example: momentInFull('2024-03-01T09:30:00') })

/**
 * Parses unambiguous text into the form `2024-03-01T09:30:00`; a date alone means its first moment. Returns any other
 * text unchanged.
 */
export function parseMoment(typed: string): string {
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
