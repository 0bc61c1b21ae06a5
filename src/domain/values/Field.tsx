import { Input } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { type AriaAttributes, type KeyboardEvent, memo, type ReactNode, type Ref } from 'react'

import { valueText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { noAutofill } from '../../ui/no-autofill.ts'
import classes from './value.module.css'

/** Attributes that a list below the field adds to it (`Suggest`). */
type ComboboxProps = Pick<
  AriaAttributes,
  'aria-activedescendant' | 'aria-autocomplete' | 'aria-controls' | 'aria-expanded'
> & { readonly role?: 'combobox'; readonly onKeyDown?: (event: KeyboardEvent) => void }

export interface FieldProps extends Partial<Readonly<ComboboxProps>> {
  /** The accessible name; there is no visible label in a dense grid. */
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onBlur?: (() => void) | undefined
  /** Which part of a value it holds. */
  readonly name?: string
  readonly invalid?: boolean
  /** Id of the element that says what is wrong. */
  readonly describedBy?: string | undefined
  readonly readOnly?: boolean
  readonly placeholder?: string
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url'
  readonly mono?: boolean
  /** Characters that the field is made for; without it the field takes what is left. */
  readonly size?: number
  readonly list?: string
  readonly maxLength?: number
  readonly onFocus?: () => void
  readonly right?: ReactNode
  readonly ref?: Ref<HTMLInputElement> | undefined
}

const field = classes.field ?? ''
const monoField = `${field} ${classes.mono}`

/** Mantine's Input takes `aria-describedby` from a wrapper of its own alone, and here several inputs share a message. */
function description(id: string | undefined) {
  return id === undefined ? undefined : { attributes: { input: { 'aria-describedby': id } } }
}

/** Returns the width for `size` characters with the box and the element at its end; undefined: no fixed width. */
function widthOf(size: number | undefined, hasRight: boolean) {
  return size === undefined ? undefined : { flex: `0 1 calc(${size}ch + ${hasRight ? 46 : 24}px)` }
}

/** One line of text. */
export function Field({ label, onChange, invalid, describedBy, mono, size, right, ...rest }: FieldProps) {
  return (
    <Input
      {...noAutofill}
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
      aria-label={label}
      error={invalid}
      {...description(describedBy)}
      rightSection={right}
      rightSectionPointerEvents="all"
      className={mono ? monoField : field}
      style={widthOf(size, Boolean(right))}
    />
  )
}

export interface AreaProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onBlur?: (() => void) | undefined
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly readOnly?: boolean
  readonly placeholder?: string
  readonly name?: string
  readonly mono?: boolean
  readonly right?: ReactNode
  readonly ref?: Ref<HTMLTextAreaElement> | undefined
}

/** Text that grows with what is in it, up to a third of the screen. */
export function Area({ label, onChange, invalid, describedBy, mono, right, ...rest }: AreaProps) {
  return (
    <Input
      component="textarea"
      multiline
      {...noAutofill}
      {...rest}
      // Number of lines for browsers without `field-sizing`.
      rows={Math.min(8, rest.value.split('\n').length)}
      onChange={(event) => onChange(event.currentTarget.value)}
      aria-label={label}
      error={invalid}
      {...description(describedBy)}
      rightSection={right}
      rightSectionPointerEvents="all"
      className={mono ? monoField : field}
    />
  )
}

export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: (() => void) | undefined
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly disabled?: boolean
  readonly size?: number
  readonly ref?: Ref<HTMLSelectElement> | undefined
}

/** A native list of choices: typing selects, phones show their own, and 500 of them cost nothing. */
export function Choice({ label, onChange, options, invalid, describedBy, size, ...rest }: ChoiceProps) {
  return (
    <Input
      component="select"
      pointer
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
      aria-label={label}
      error={invalid}
      {...description(describedBy)}
      rightSection={chevron}
      className={field}
      style={widthOf(size, true)}
    >
      <Options options={options} value={rest.value} />
    </Input>
  )
}

const chevron = <IconChevronDown size={14} aria-hidden />

const Options = memo(function Options({ options, value }: Pick<ChoiceProps, 'options' | 'value'>) {
  return (
    <>
      {options.some((option) => option.value === value) ? null : <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </>
  )
})

/** Empties a field, at its right end. */
export function ClearButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <IconButton
      size="small"
      aria-label={label}
      {...hint(valueText.clearHint)}
      onClick={onClick}
      className={classes.clear}
    >
      <IconX size={13} stroke={1.75} />
    </IconButton>
  )
}
