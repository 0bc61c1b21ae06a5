import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import { pickerText } from '../../messages/index.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import type { FieldProps } from '../values/Field.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import { Suggest } from '../values/Suggest.tsx'
import type { NamedEntry, NamedProperty, NamedType } from './definitions.ts'
import { focusNext, focusNextValue } from './focus-next.ts'
import { searchNamed } from './search.ts'
import classes from './Picker.module.css'

interface PickerProps<Entry> extends Omit<FieldProps, 'value' | 'onChange' | 'onKeyDown' | 'role' | 'list'> {
  /** Name of the entity type or property, which may be a new one. */
  readonly value: string
  readonly onChange: (name: string) => void
  /** Called with an existing entry that was chosen, instead of `onChange`. */
  readonly onChoose?: (entry: Entry) => void
  /** Whether any other name may be typed too. */
  readonly allowsNew?: boolean
  /** Whether the field says the label of an entry, where one is chosen; its name is for where one is made or renamed. */
  readonly byLabel?: boolean
}

interface PropertyPickerProps extends PickerProps<NamedProperty> {
  /** Properties to choose from, such as those of `useProperties()`. */
  readonly properties: readonly NamedProperty[]
}

/**
 * Input for the key of a property, with a list to search by label or key. Enter takes the highlighted property and
 * moves on to its value (`data-value`), or else to the next control; it never submits a form.
 */
export function PropertyPicker({ properties, ...props }: PropertyPickerProps) {
  return (
    <Picker
      {...props}
      onEntered={focusNextValue}
      entries={properties}
      listLabel={pickerText.properties}
      newLabel={pickerText.newProperty}
      groupOf={({ group }) => group}
      renderAside={({ type, unit, sensitive }) => (
        <>
          {type !== undefined && (
            <span className={classes.aside}>
              {unit === undefined
                ? dataTypeName(type)
                : pickerText.typeAndUnit({ type: dataTypeName(type), unit })}
            </span>
          )}
          {sensitive && <SensitiveMark />}
        </>
      )}
    />
  )
}

interface EntityTypePickerProps extends PickerProps<NamedType> {
  /** Entity types to choose from, such as those of `useEntityTypes()`. */
  readonly types: readonly NamedType[]
}

/** Input for an entity type, with a list to search by label or name. Enter moves on to the next control. */
export function EntityTypePicker({ types, ...props }: EntityTypePickerProps) {
  return (
    <Picker
      {...props}
      onEntered={focusNext}
      entries={types}
      listLabel={pickerText.types}
      newLabel={pickerText.newType}
    />
  )
}

interface AnyPickerProps<Entry extends NamedEntry> extends PickerProps<Entry> {
  readonly entries: readonly Entry[]
  /** Moves the focus on after Enter. */
  readonly onEntered: (input: HTMLElement) => void
  readonly listLabel: string
  readonly newLabel: (values: { readonly name: string }) => string
  readonly groupOf?: (entry: Entry) => string | undefined
  readonly renderAside?: (entry: Entry) => ReactNode
}

/** Maximum number of entries listed; typing finds the others. */
const shownEntries = 50

function Picker<Entry extends NamedEntry>(props: AnyPickerProps<Entry>) {
  const { entries, value, onChoose, allowsNew = true, byLabel = false, ...others } = props
  const { newLabel, groupOf, renderAside, ...field } = others
  // While somebody types, the field keeps what is typed, even if that is the name of an entry.
  const [typed, setTyped] = useState<string>()
  const name = value.trim()
  const found = searchNamed(entries, value)
  const shown = found.slice(0, shownEntries)
  const isNew = allowsNew && name !== '' && entries.length > 0 && !found.some((each) => each.name === name)
  const options: readonly (Entry | New)[] = isNew ? [...shown, { isNew: true, name }] : shown
  const isGrouped = groupOf !== undefined && name === '' && shown.some((each) => groupOf(each) !== undefined)
  const hidden = found.length - shown.length
  return (
    <Suggest
      mono={!byLabel}
      {...field}
      value={byLabel ? (typed ?? labelOf(entries, value)) : value}
      onChange={(text) => {
        setTyped(text)
        field.onChange(byLabel ? resolveName(entries, text) : text)
      }}
      onBlur={() => {
        setTyped(undefined)
        field.onBlur?.()
      }}
      options={options}
      idOf={(option) => `${isNamed(option) ? '' : 'new '}${option.name}`}
      renderOption={(option) =>
        isNamed(option) ? (
          <EntryLine entry={option}>{renderAside?.(option)}</EntryLine>
        ) : (
          <>
            <IconPlus size={14} aria-hidden className={classes.plus} /> {newLabel({ name })}
          </>
        )
      }
      groupOf={isGrouped ? (option) => (isNamed(option) ? groupOf(option) : undefined) : undefined}
      note={hidden > 0 ? pickerText.more({ count: hidden }) : undefined}
      enterTakes="first"
      onChoose={(option) => {
        setTyped(undefined)
        if (onChoose && isNamed(option)) onChoose(option)
        else field.onChange(option.name)
      }}
    />
  )
}

/** Returns the label of a name; the name itself if there is no such entry, or if another one has the same label. */
function labelOf(entries: readonly NamedEntry[], name: string): string {
  const label = entries.find((each) => each.name === name)?.label
  return label !== undefined && withLabel(entries, label).length === 1 ? label : name
}

/** Returns the name of the only entry with this label; the text itself if it is a name, or if there is none. */
function resolveName(entries: readonly NamedEntry[], text: string): string {
  if (entries.some(({ name }) => name === text)) return text
  const [first, ...others] = withLabel(entries, text)
  return first && others.length === 0 ? first.name : text
}

const withLabel = (entries: readonly NamedEntry[], label: string) =>
  entries.filter((each) => each.label === label)

interface New {
  readonly isNew: true
  readonly name: string
}

const isNamed = <Entry extends NamedEntry>(option: Entry | New): option is Entry => !('isNew' in option)

function EntryLine({ entry, children }: { readonly entry: NamedEntry; readonly children: ReactNode }) {
  const { name, label, users } = entry
  return (
    <>
      <span className={classes.names}>
        {label} {label.toLowerCase() !== name && <span className={classes.name}>{name}</span>}
      </span>
      {children}
      {users !== undefined && <span className={classes.aside}>{pickerText.users({ users })}</span>}
    </>
  )
}
