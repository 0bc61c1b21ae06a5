import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'

import { isDataType, type ValueIssue } from '#contract/index.ts'

import { values } from '../../messages/index.ts'
import { hint } from '../Hint.tsx'
import { currencies } from './currencies.ts'
import { type Draft, isBlank, opened, type Part, partOf, pastedTarget, safeUrl, typed } from './draft.ts'
import { Area, Choice, ClearButton, Field } from './Field.tsx'
import { MomentField } from './MomentField.tsx'
import classes from './value.module.css'

export interface Target {
  readonly user: string
  readonly entity?: string | undefined
}

export interface ValueInputProps {
  /** One of the data types; another one gets a raw input. */
  readonly type: string
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  /** The accessible name, for example "Value of birthday"; inputs of several parts add the part. */
  readonly label: string
  /** What is wrong, from `valueOf` or from the service: shown at the part it belongs to. */
  readonly issues?: readonly ValueIssue[] | undefined
  readonly onBlur?: (() => void) | undefined
  readonly readOnly?: boolean
  /** What a blank input means; without it: no value. */
  readonly blank?: string | undefined
  /** For RELATIONSHIP: a link to what the ids name. */
  readonly renderLink?: ((target: Target) => ReactNode) | undefined
}

const noIssues: readonly ValueIssue[] = []

/** The input made for a type, on a draft: whatever is typed stays, and is judged by `valueOf`. */
export function ValueInput({ issues = noIssues, ...props }: ValueInputProps) {
  const id = useId()
  const { type, draft, label, onChange, readOnly = false } = props
  if (draft.unfit)
    return (
      <div className={classes.unfit}>
        <span className={classes.raw}>{draft.text === '' ? '""' : draft.text}</span>
        {!readOnly && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={values.edit(label)}
            onClick={() => onChange(opened(type, draft))}
          >
            {values.editText}
          </Button>
        )}
        <span className={classes.unfitNote}>{values.unfit(type)}</span>
        <Issues id={id} issues={issues} />
      </div>
    )
  return (
    <div className={classes.root}>
      <div className={classes.parts}>
        <Inputs
          {...props}
          invalid={new Set(issues.map(partOf))}
          describedBy={issues.length > 0 ? id : undefined}
        />
      </div>
      <Issues id={id} issues={issues} />
    </div>
  )
}

/** One sentence per part: the schema's first one says most. */
function Issues({ id, issues }: { readonly id: string; readonly issues: readonly ValueIssue[] }) {
  if (issues.length === 0) return null
  return (
    <p id={id} className={classes.issues}>
      {[...new Map(issues.toReversed().map((issue) => [partOf(issue), issue.detail])).values()].join(' ')}
    </p>
  )
}

interface InputsProps extends Omit<ValueInputProps, 'issues'> {
  readonly invalid: ReadonlySet<Part>
  readonly describedBy: string | undefined
}

function Inputs(props: InputsProps) {
  const { type, draft, onChange, label, onBlur, readOnly = false, renderLink, invalid, describedBy } = props
  const { blank = values.none } = props
  const part = (name: Part) => ({
    value: draft[name] ?? '',
    onChange: (text: string) => onChange(typed(draft, name, text)),
    onBlur,
    readOnly,
    invalid: invalid.has(name),
    ...(invalid.has(name) && { describedBy }),
  })
  const text = { ...part('text'), label, placeholder: blank }

  // A line break would silently vanish from an input of one line.
  if (type !== 'TEXT' && isDataType(type) && draft.text.includes('\n')) return <Area {...text} mono />

  switch (type) {
    case 'BOOLEAN':
      return <TrueOrFalse {...text} />
    case 'NUMBER':
    case 'DECIMAL':
      return <Field {...text} inputMode="decimal" size={Math.max(20, draft.text.length)} />
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
          <MomentField {...text} label={values.part.datetime(label)} kind="datetime" />
          <span className={classes.unit} aria-hidden>
            {values.utc}
          </span>
        </>
      )
    case 'CURRENCY':
      return (
        <>
          <Field {...text} label={values.part.amount(label)} inputMode="decimal" size={16} />
          <CurrencyCode {...part('currency')} label={values.part.currency(label)} />
        </>
      )
    case 'RELATIONSHIP': {
      const link =
        !isBlank(draft) &&
        renderLink?.({ user: draft.text.trim(), entity: draft.entity?.trim() || undefined })
      const onPaste = (event: React.ClipboardEvent) => {
        const target = pastedTarget(event.clipboardData.getData('text'))
        if (!target || readOnly) return
        event.preventDefault()
        onChange(target)
      }
      return (
        <>
          <Field
            {...text}
            label={values.part.user(label)}
            placeholder={values.placeholder.user}
            onPaste={onPaste}
            size={36}
            mono
          />
          <Field
            {...part('entity')}
            label={values.part.entity(label)}
            placeholder={values.placeholder.entity}
            onPaste={onPaste}
            size={36}
            mono
          />
          {link}
        </>
      )
    }
    case 'PREFERENCE':
      return (
        <>
          <Choice
            {...text}
            label={values.part.status(label)}
            disabled={readOnly}
            options={[{ value: '', label: blank }, ...statuses]}
            size={10}
          />
          <MomentField
            {...part('statusDate')}
            label={values.part.statusDate(label)}
            placeholder={values.placeholder.statusDate}
            kind="datetime"
          />
          <MomentField
            {...part('expires')}
            label={values.part.expires(label)}
            placeholder={values.placeholder.expires}
            kind="datetime"
          />
        </>
      )
    default: {
      const none = draft.none === true && draft.text === ''
      const clear = !none && !readOnly && (
        <ClearButton
          label={values.clear(label)}
          onClick={() => onChange({ ...typed(draft, 'text', ''), none: true })}
        />
      )
      return (
        <>
          <Area
            {...text}
            placeholder={none ? blank : values.emptyText}
            right={clear}
            mono={draft.json === true}
          />
          {!isDataType(type) && !readOnly && (
            <Choice
              label={values.rawAs}
              value={draft.json === true ? 'json' : 'text'}
              onChange={(as) => onChange({ ...typed(draft, 'text', draft.text), json: as === 'json' })}
              options={rawForms}
              size={5}
            />
          )}
        </>
      )
    }
  }
}

const statuses = Object.entries(values.status).map(([value, label]) => ({ value, label }))
const rawForms = [
  { value: 'text', label: values.rawText },
  { value: 'json', label: values.rawJson },
]

interface PartProps {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onBlur?: (() => void) | undefined
  readonly readOnly: boolean
  readonly invalid: boolean
  readonly describedBy?: string | undefined
}

/** True, false, or no value: three states, so no switch. */
function TrueOrFalse({
  label,
  placeholder = values.none,
  value,
  onChange,
  onBlur,
  readOnly,
  invalid,
  describedBy,
}: PartProps) {
  const name = useId()
  const word = value.trim().toLowerCase()
  return (
    <>
      <div
        role="radiogroup"
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className={classes.segmented}
        data-invalid={invalid || undefined}
      >
        {(['true', 'false', ''] as const).map((option) => (
          <label key={option} className={classes.segment} data-none={option === '' || undefined}>
            <input
              type="radio"
              className="ds-visually-hidden"
              name={name}
              checked={word === option}
              disabled={readOnly && word !== option}
              onChange={() => onChange(option)}
              onBlur={onBlur}
            />
            {option === '' ? placeholder : values[option]}
          </label>
        ))}
      </div>
      {word !== '' && word !== 'true' && word !== 'false' && (
        <span className={classes.note}>{values.neither(value)}</span>
      )}
    </>
  )
}

/** A code typed or found by its name; the list is made once somebody comes here. */
function CurrencyCode(props: PartProps) {
  const list = useId()
  const [visited, setVisited] = useState(false)
  return (
    <>
      <Field
        {...props}
        placeholder={values.placeholder.currency}
        size={5}
        list={list}
        onFocus={() => setVisited(true)}
      />
      {visited && (
        <datalist id={list}>
          {currencies().map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}

/** Leads to a web address in a new tab that learns nothing of this one; to nothing else. */
export function SafeLink({ url }: { readonly url: string }) {
  const href = safeUrl(url)
  if (href === undefined) return null
  const label = values.openLink(new URL(href).host)
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      {...hint(label)}
      className={classes.link}
    >
      <IconExternalLink size={15} stroke={1.75} aria-hidden />
    </a>
  )
}
