import { Input } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import {
  type AriaAttributes,
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
} from 'react'

import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { noAutofill } from '../../ui/keys/no-autofill.ts'
import classes from './ValueInput.module.css'

/** Attributes that a list below the field adds to it (see `Suggest`). */
type ComboboxProps = Pick<
  AriaAttributes,
  'aria-activedescendant' | 'aria-autocomplete' | 'aria-controls' | 'aria-expanded'
> & { readonly role?: 'combobox'; readonly onKeyDown?: (event: KeyboardEvent) => void }

export interface FieldProps
  extends
    Partial<Readonly<ComboboxProps>>,
    Pick<ComponentProps<'input'>, 'list' | 'maxLength' | 'placeholder' | 'readOnly' | 'ref'> {
  /** Accessible name; dense grids have no visible labels. */
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onBlur?: (() => void) | undefined
  /** Name of the part of a value that this field edits. */
  readonly name?: string
  readonly invalid?: boolean | undefined
  /** Id of the element with the error message. */
  readonly describedBy?: string | undefined
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url'
  readonly mono?: boolean
  /** Width in characters; by default, the field fills the remaining space. */
  readonly size?: number
  readonly onFocus?: () => void
  readonly right?: ReactNode
}

const field = classes.field ?? ''
const monoField = `${field} ${classes.mono}`

type SharedProps = Pick<FieldProps, 'label' | 'value' | 'onChange' | 'onBlur' | 'invalid' | 'describedBy'>

function inputProps({ label, onChange, invalid, describedBy }: Omit<SharedProps, 'value' | 'onBlur'>) {
  return {
    'aria-label': label,
    onChange: ({ currentTarget }: ChangeEvent<{ value: string }>) => onChange(currentTarget.value),
    error: invalid,
    // Set on the input itself. Mantine's Input takes it only from its own wrapper, but here several inputs share a
    // message.
    ...(describedBy !== undefined && { attributes: { input: { 'aria-describedby': describedBy } } }),
  }
}

/** Returns the width for `size` characters plus padding and the element at the end; undefined for no fixed width. */
function widthOf(size: number | undefined, hasRight: boolean) {
  return size === undefined ? undefined : { flex: `0 1 calc(${size}ch + ${hasRight ? 46 : 24}px)` }
}

export function Field({ label, onChange, invalid, describedBy, mono, size, right, ...rest }: FieldProps) {
  return (
    <Input
      {...noAutofill}
      {...rest}
      {...inputProps({ label, onChange, invalid, describedBy })}
      rightSection={right}
      rightSectionPointerEvents="all"
      className={mono ? monoField : field}
      style={widthOf(size, Boolean(right))}
    />
  )
}

interface AreaProps extends SharedProps, Pick<FieldProps, 'readOnly' | 'placeholder' | 'name' | 'mono'> {
  /** Name and hint of the button that clears the text; undefined if there is none. */
  readonly clear?: { readonly label: string; readonly title: string } | undefined
  readonly onClear?: () => void
  readonly ref?: Ref<HTMLTextAreaElement>
}

/** Text area that grows with its content, up to a third of the screen. */
export function Area({ label, onChange, invalid, describedBy, mono, clear, onClear, ...rest }: AreaProps) {
  return (
    <Input
      component="textarea"
      multiline
      {...noAutofill}
      {...rest}
      // Fallback height, in lines, for browsers without `field-sizing`.
      rows={Math.min(8, rest.value.split('\n').length)}
      {...inputProps({ label, onChange, invalid, describedBy })}
      rightSection={
        clear && (
          <IconButton
            size="small"
            aria-label={clear.label}
            {...hint(clear.title)}
            onClick={({ currentTarget }) => {
              onClear?.()
              // The button disappears with the text that it cleared, so the focus moves to the text area.
              currentTarget.closest(`.${field}`)?.querySelector('textarea')?.focus()
            }}
            className={classes.clear}
          >
            <IconX size={13} stroke={1.75} />
          </IconButton>
        )
      }
      rightSectionPointerEvents="all"
      className={mono ? monoField : field}
    />
  )
}

export interface ChoiceProps extends SharedProps, Pick<FieldProps, 'size'> {
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly disabled?: boolean
}

/** Native select: it supports type-ahead, phones show their own picker, and 500 options cost nothing. */
export function Choice({ label, onChange, options, invalid, describedBy, size, ...rest }: ChoiceProps) {
  return (
    <Input
      component="select"
      pointer
      {...rest}
      {...inputProps({ label, onChange, invalid, describedBy })}
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
