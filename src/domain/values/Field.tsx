import '@mantine/core/styles/Input.layer.css'

import { Input } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { type AriaAttributes, type KeyboardEvent, memo, type ReactNode, type Ref } from 'react'

import { values } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
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

/**
 * Mantine's Input by its class names. The component itself reads its theme, properties and styles anew each time, and
 * a page of properties has eighty of them (measured in bench/README.md).
 */
const parts = Input.classes

interface FrameProps {
  readonly invalid: boolean
  readonly right: ReactNode
  readonly size?: number | undefined
  readonly multiline?: boolean
  readonly pointer?: boolean
  readonly disabled?: boolean
  readonly children: ReactNode
}

function Frame(props: FrameProps) {
  const { invalid, right, size, multiline, pointer, disabled, children } = props
  const hasRight = Boolean(right)
  return (
    <div
      className={`mantine-Input-wrapper ${classes.field} ${parts.wrapper}`}
      data-variant="default"
      data-size="sm"
      data-error={invalid || undefined}
      data-multiline={multiline}
      data-pointer={pointer}
      data-disabled={disabled || undefined}
      data-with-right-section={hasRight || undefined}
      style={size === undefined ? undefined : { flex: `0 1 calc(${size}ch + ${hasRight ? 46 : 24}px)` }}
    >
      {children}
      {hasRight && (
        <div data-position="right" className={parts.section}>
          {right}
        </div>
      )}
    </div>
  )
}

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
    <Frame invalid={invalid} right={right} size={size}>
      <input
        {...unrecorded}
        {...rest}
        ref={ref}
        type="text"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className={mono ? `ds-mono ${parts.input}` : parts.input}
      />
    </Frame>
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
    <Frame invalid={invalid} right={right} multiline>
      <textarea
        {...unrecorded}
        {...rest}
        ref={ref}
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className={`${classes.area} ${mono ? 'ds-mono ' : ''}${parts.input}`}
      />
    </Frame>
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
    <Frame invalid={invalid} right={chevron} size={size} pointer disabled={disabled}>
      <select
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
        ref={ref}
        disabled={disabled}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className={parts.input}
      >
        <Options options={options} value={value} />
      </select>
    </Frame>
  )
}

const chevron = <IconChevronDown size={14} stroke={1.75} aria-hidden />

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
      {...hint(values.clearHint)}
      onClick={onClick}
      className={classes.clear}
    >
      <IconX size={13} stroke={1.75} />
    </IconButton>
  )
}
