import '@mantine/core/styles/Input.layer.css'

import { ActionIcon, Input } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import {
  type AriaAttributes,
  type ChangeEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
} from 'react'

import { values } from '../../messages/index.ts'
import { hint } from '../Hint.tsx'
import classes from './value.module.css'

/** What a list below the field adds to it (`Suggest`). */
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
  readonly inputMode?: 'text' | 'decimal' | 'email' | 'url'
  readonly mono?: boolean
  /** Characters that the field is made for; without it the field takes what is left. */
  readonly size?: number
  readonly list?: string
  readonly maxLength?: number
  readonly onFocus?: () => void
  readonly right?: ReactNode
  readonly ref?: Ref<HTMLInputElement> | undefined
}

// Never offered to the browser's form history, spelling service or password managers: values are personal data.
const unrecorded = {
  autoComplete: 'off',
  spellCheck: false,
  autoCorrect: 'off',
  autoCapitalize: 'off',
} as const

/** One line of text. */
export function Field(props: FieldProps) {
  const {
    label,
    value,
    onChange,
    invalid = false,
    describedBy,
    mono = false,
    size,
    right,
    ref,
    ...rest
  } = props
  return (
    <Input
      {...unrecorded}
      {...rest}
      ref={ref}
      type="text"
      value={value}
      onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.currentTarget.value)}
      withAria={false}
      aria-label={label}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      error={invalid}
      rightSection={right}
      rightSectionPointerEvents="all"
      className={classes.field}
      style={
        size === undefined ? undefined : { flex: `0 1 calc(${size}ch + ${right === undefined ? 24 : 46}px)` }
      }
      classNames={mono ? { input: 'ds-mono' } : {}}
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
export function Area(props: AreaProps) {
  const { label, value, onChange, invalid = false, describedBy, mono = false, right, ref, ...rest } = props
  // Where `field-sizing` is not known the lines decide.
  const rows = Math.min(8, value.split('\n').length)
  return (
    <Input
      component="textarea"
      multiline
      {...unrecorded}
      {...rest}
      ref={ref}
      rows={rows}
      value={value}
      onChange={(event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value)}
      withAria={false}
      aria-label={label}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      error={invalid}
      rightSection={right}
      rightSectionPointerEvents="all"
      className={classes.field}
      classNames={{ input: `${classes.area}${mono ? ' ds-mono' : ''}` }}
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
export function Choice(props: ChoiceProps) {
  const {
    label,
    value,
    onChange,
    onBlur,
    options,
    invalid = false,
    describedBy,
    disabled = false,
    size,
    ref,
  } = props
  return (
    <Input
      component="select"
      pointer
      value={value}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      ref={ref}
      disabled={disabled}
      withAria={false}
      aria-label={label}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      error={invalid}
      rightSection={<IconChevronDown size={14} stroke={1.75} aria-hidden />}
      rightSectionPointerEvents="none"
      className={classes.field}
      style={size === undefined ? undefined : { flex: `0 1 calc(${size}ch + 46px)` }}
    >
      <Options options={options} value={value} />
    </Input>
  )
}

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
    <ActionIcon
      size={22}
      aria-label={label}
      {...hint(values.clearHint)}
      onClick={onClick}
      className={classes.clear}
    >
      <IconX size={13} stroke={1.75} />
    </ActionIcon>
  )
}
