import { useState } from 'react'

import { valueText } from '../../messages/index.ts'
import { Field, type FieldProps } from './Field.tsx'
import { useMomentField } from './use-moment-field.tsx'
import { readMoment, writeMoment } from './written-moments.ts'

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
 * Text field for a date or time. Text can be pasted, and incomplete or invalid text is not lost. The value is the
 * stored form if the text is unambiguous. A datetime is picked and shown in UTC.
 */
export function MomentField({ kind, ...field }: MomentFieldProps) {
  const { size, type, placeholder, pattern } = momentKinds[kind]
  const [isFocused, setFocused] = useState(false)
  const moment = useMomentField({
    ...field,
    kind,
    read: (text) => (type ? readMoment(type, text) : text),
    write: (value) => (type ? writeMoment(type, value) : value),
    toPicker: (value) => pattern.exec(value.trim())?.[0] ?? '',
    fromPicker: kind === 'datetime' ? asUtc : String,
  })
  return (
    <Field
      size={size}
      {...field}
      value={moment.text}
      onChange={moment.type}
      // The format appears as the placeholder while the field has focus.
      placeholder={isFocused ? placeholder : (field.placeholder ?? placeholder)}
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

function asUtc(picked: string): string {
  if (picked === '') return ''
  return `${picked.length === 16 ? `${picked}:00` : picked}Z`
}
