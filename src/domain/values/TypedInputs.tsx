import { Group, SegmentedControl, Text, type TextProps } from '@mantine/core'
import { type ComponentType, type ReactNode, useId, useState } from 'react'

import { activeCurrencies, fold, isDataType } from '#contract/index.ts'
import { isBlank, type Part } from '#contract/reading/parts.ts'
import { valueText } from '../../messages/index.ts'
import { currencyName, isPastCurrency } from './currencies.ts'
import { type Draft, draftOf, emptyDraft, typeText, valueOf } from './draft.ts'
import { Area, Choice, Field, type FieldProps } from './Field.tsx'
import { MomentField } from './moment-fields.tsx'
import { Suggest } from './Suggest.tsx'
import { SafeLink, type Target } from './ValueText.tsx'
import classes from './ValueInput.module.css'

/** Props of each of the two inputs of a relationship, and a handler for a choice that fills both. */
export interface RelationshipProps {
  readonly user: FieldProps
  readonly entity: FieldProps
  readonly onChoose: (target: Target) => void
}

export interface TypedInputsProps {
  /** Data type; an unknown type gets a raw input. */
  readonly type: string
  readonly draft: Draft
  /** Stored value; absent if there is none, or it is masked. */
  readonly stored?: Draft
  readonly onChange: (draft: Draft) => void
  /** Accessible name, such as "Value of birthday". If the type has several parts, each input appends its part. */
  readonly label: string
  readonly onBlur?: (() => void) | undefined
  readonly readOnly?: boolean
  /** Placeholder that explains a blank input, where blank does not mean no value. */
  readonly blank?: string | undefined
  readonly renderLink?: ((target: Target) => ReactNode) | undefined
  /** Inputs that search for the users and entities of a RELATIONSHIP; without them, ids are typed. */
  readonly relationship?: ComponentType<RelationshipProps> | undefined
  /** Definition of the property; undefined if there is none. */
  readonly defined?: DefinedInput | undefined
  readonly invalid: ReadonlySet<Part>
  readonly describedBy: string | undefined
}

interface DefinedInput {
  /** Unit of a number, such as "km". */
  readonly unit: string | undefined
  /** Values to choose from; undefined if any is allowed. */
  readonly choices: readonly DefinedChoice[] | undefined
}

interface DefinedChoice {
  readonly value: string | number
  readonly label: string
}

function partOfProps(props: TypedInputsProps, name: Part) {
  const { draft, onChange, onBlur, readOnly = false, invalid, describedBy } = props
  return {
    value: draft[name] ?? '',
    onChange: (text: string) => onChange(typeText(draft, name, text)),
    onBlur,
    name,
    readOnly,
    invalid: invalid.has(name),
    ...(invalid.has(name) && { describedBy }),
  }
}

/** Renders the inputs of a value's parts. */
export function renderInputs(props: TypedInputsProps): ReactNode {
  const { type, draft, label, blank = valueText.placeholder.value, defined } = props
  const text = { ...partOfProps(props, 'text'), label, placeholder: blank }

  // A single-line input would silently drop line breaks.
  if (type !== 'TEXT' && isDataType(type) && draft.text.includes('\n')) return <Area {...text} mono />

  if ((type === 'TEXT' || type === 'NUMBER') && defined?.choices && !draft.text.includes('\n'))
    return <ChoiceInput {...props} choices={defined.choices} />

  switch (type) {
    case 'BOOLEAN':
      return <TrueOrFalse {...text} placeholder={props.blank ?? valueText.none} />
    case 'NUMBER':
    case 'DECIMAL':
      return (
        <>
          <Field {...text} inputMode="decimal" size={Math.max(20, draft.text.length)} />
          {defined?.unit !== undefined && <Unit>{defined.unit}</Unit>}
        </>
      )
    case 'EMAIL':
      return <Field {...text} inputMode="email" />
    case 'URL':
      return (
        <>
          <Field {...text} inputMode="url" />
          <SafeLink url={draft.text} />
        </>
      )
    case 'DATE':
      return <MomentField {...text} kind="date" />
    case 'TIME':
      return <MomentField {...text} kind="time" />
    case 'DATETIME':
      return (
        <>
          <MomentField {...text} label={valueText.part.datetime({ label })} kind="datetime" />
          <Unit aria-hidden>{valueText.utc}</Unit>
        </>
      )
    case 'CURRENCY':
      return (
        <>
          <Field {...text} label={valueText.part.amount({ label })} inputMode="decimal" size={16} />
          <CurrencyCode {...partOfProps(props, 'currency')} label={valueText.part.currency({ label })} />
        </>
      )
    case 'RELATIONSHIP':
      return <Relationship {...props} />
    case 'PREFERENCE':
      return <Preference {...props} />
    default:
      return renderFreeText(props)
  }
}

interface ChoiceInputProps extends TypedInputsProps {
  readonly choices: readonly DefinedChoice[]
}

/** Input with the values that a definition lists. Any other value may be typed, since definitions suggest. */
function ChoiceInput(props: ChoiceInputProps) {
  const { type, draft, label, onChange, choices, blank = valueText.placeholder.value } = props
  const { onChange: write, ...text } = partOfProps(props, 'text')
  const query = fold(draft.text.trim())
  const chosen = choices.find(({ value }) => draftOf(type, value).text === draft.text)
  // Once a value is chosen, the list is for choosing another one.
  const options = chosen
    ? choices
    : choices.filter((each) => fold(`${each.label} ${each.value}`).includes(query))
  return (
    <>
      <Suggest
        {...text}
        label={label}
        placeholder={blank}
        listLabel={valueText.choices}
        options={options}
        idOf={({ value }) => String(value)}
        renderOption={(option) => option.label}
        // An emptied input means no value, as one of any other type does.
        onChange={(typed) => (typed === '' ? onChange(emptyDraft) : write(typed))}
        onChoose={({ value }) => onChange(draftOf(type, value))}
      />
      {chosen && chosen.label !== draft.text && <Unit>{chosen.label}</Unit>}
    </>
  )
}

/** Input for a currency code, with suggestions by name, which are created on the first visit. */
function CurrencyCode(props: FieldProps) {
  const list = useId()
  const [visited, setVisited] = useState(false)
  return (
    <>
      <Field
        {...props}
        placeholder={valueText.placeholder.currency}
        size={5}
        list={list}
        onFocus={() => setVisited(true)}
      />
      {visited && (
        <datalist id={list}>
          {activeCurrencies.map((code) => (
            <option key={code} value={code}>
              {currencyName(code)}
            </option>
          ))}
        </datalist>
      )}
      {isPastCurrency(props.value) && <Unit>{valueText.pastCurrency}</Unit>}
    </>
  )
}

function Relationship(props: TypedInputsProps) {
  const { type, draft, onChange, label, readOnly, renderLink, relationship: Finder } = props
  const inputOf = (what: 'user' | 'entity') => ({
    ...partOfProps(props, what === 'user' ? 'text' : what),
    size: 36,
    mono: true,
    label: valueText.part[what]({ label }),
    placeholder: valueText.placeholder[what],
  })
  const [user, entity] = [inputOf('user'), inputOf('entity')]
  return (
    <>
      {Finder && readOnly !== true ? (
        <Finder
          user={user}
          entity={entity}
          onChoose={(target) => onChange(draftOf('RELATIONSHIP', target))}
        />
      ) : (
        <>
          <Field {...user} />
          <Field {...entity} />
        </>
      )}
      {/* A search text must not become part of a link, so only valid ids do. */}
      {!isBlank(draft) &&
        !valueOf(type, draft).issues &&
        renderLink?.({ user: draft.text.trim(), entity: draft.entity?.trim() || undefined })}
    </>
  )
}

/** Inputs of a consent. Another status is said now, so the stored dates go with theirs, and come back with it. */
function Preference(props: TypedInputsProps) {
  const { draft, stored = emptyDraft, onChange, label, readOnly = false, blank = valueText.none } = props
  const { caption, part, placeholder } = valueText
  const changeStatus = (status: string) => {
    const hasDates = !isBlank({ ...draft, text: '' })
    const hasStored = draft.statusDate === stored.statusDate && draft.expires === stored.expires
    if (!hasDates && status === stored.text) onChange(stored)
    else onChange(typeText(hasStored ? emptyDraft : draft, 'text', status))
  }
  return (
    <>
      <Choice
        {...partOfProps(props, 'text')}
        onChange={changeStatus}
        label={part.status({ label })}
        disabled={readOnly}
        options={[{ value: '', label: blank }, ...statuses]}
        size={10}
      />
      {(['statusDate', 'expires'] as const).map((name) => (
        <Group key={name} gap="0 4px" flex="1 0 100%" miw={0}>
          <Unit aria-hidden miw={88}>
            {caption[name]}
          </Unit>
          <MomentField
            {...partOfProps(props, name)}
            label={part[name]({ label })}
            placeholder={placeholder[name]}
            kind="datetime"
            // Beside its caption in the narrowest column of an editor.
            size={17}
            isToSecond
          />
        </Group>
      ))}
    </>
  )
}

/** Renders the input for TEXT and unknown types, as text or as JSON. */
function renderFreeText(props: TypedInputsProps): ReactNode {
  const { type, draft, onChange, label, readOnly = false, blank = valueText.placeholder.value } = props
  const none = draft.none === true && draft.text === ''
  return (
    <>
      <Area
        {...partOfProps(props, 'text')}
        label={label}
        placeholder={none ? blank : valueText.emptyText}
        // A blank input that keeps the stored value loses only what was typed.
        clear={
          none || readOnly
            ? undefined
            : props.blank === undefined
              ? { label: valueText.clear({ label }), title: valueText.clearHint }
              : { label: valueText.clearTyped({ label }), title: valueText.clearTypedHint }
        }
        onClear={() => onChange({ ...typeText(draft, 'text', ''), none: true })}
        mono={draft.json === true}
      />
      {!isDataType(type) && !readOnly && (
        <Choice
          label={valueText.rawAs}
          value={draft.json === true ? 'json' : 'text'}
          onChange={(as) => onChange({ ...typeText(draft, 'text', draft.text), json: as === 'json' })}
          options={rawForms}
          size={5}
        />
      )}
    </>
  )
}

const Unit = (props: TextProps & { readonly children: string }) => (
  <Text span c="dimmed" fz="xs" px={4} {...props} />
)

const statuses = Object.entries(valueText.status).map(([value, label]) => ({ value, label }))
const rawForms = [
  { value: 'text', label: valueText.rawText },
  { value: 'json', label: valueText.rawJson },
]

/** Choice of true, false or no value. A switch has only two states. */
function TrueOrFalse(props: FieldProps) {
  const { label, value, placeholder = valueText.none, invalid, describedBy } = props
  const { onChange, onBlur, readOnly = false } = props
  const word = value.trim().toLowerCase()
  const options = [
    { value: 'true', label: valueText.true },
    { value: 'false', label: valueText.false },
    { value: '', label: placeholder },
  ]
  return (
    <>
      <SegmentedControl
        {...{ onChange, onBlur, readOnly }}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        data={options}
        value={word}
        className={classes.choice ?? ''}
      />
      {options.every((option) => option.value !== word) && (
        <Text span c="dimmed" fz="xs">
          {valueText.neither({ typed: value })}
        </Text>
      )}
    </>
  )
}
