import { Button } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, Suspense, useId } from 'react'

import { isDataType, type ValueIssue } from '#contract/index.ts'

import { valueText } from '../../messages/index.ts'
import { CurrencyCode } from './CurrencyCode.tsx'
import { type Draft, draftOf, isBlank, opened, type Part, partOf, typed, valueOf } from './draft.ts'
import { Area, Choice, ClearButton, Field, type FieldProps } from './Field.tsx'
import { MomentField } from './MomentField.tsx'
import type { pasted } from './Readings.tsx'
import { SafeLink } from './SafeLink.tsx'
import { TrueOrFalse } from './TrueOrFalse.tsx'
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
  /** For RELATIONSHIP: inputs that find users and entities; without them ids are written. */
  readonly relationship?: ComponentType<RelationshipProps> | undefined
}

/** Two inputs: what each is given, and what a choice in them puts into both. */
export interface RelationshipProps {
  readonly user: FieldProps
  readonly entity: FieldProps
  readonly onChoose: (target: Target) => void
}

// Foreign spellings are read where somebody met one: most values are written as they are stored.
let readPasted: typeof pasted | undefined
const loadReadings = () =>
  import('./Readings.tsx').then(
    (module) => {
      readPasted = module.pasted
      return { default: module.Readings }
    },
    // Nothing typed may hang on it.
    () => ({ default: () => null }),
  )
const Readings = lazy(loadReadings)

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
            aria-label={valueText.edit(label)}
            onClick={() => onChange(opened(type, draft))}
          >
            {valueText.editText}
          </Button>
        )}
        <span className={classes.unfitNote}>{valueText.unfit(type)}</span>
        <Issues id={id} issues={issues} />
      </div>
    )
  return (
    <div className={classes.root}>
      <div
        className={classes.parts}
        onFocus={() => void loadReadings()}
        onPaste={(event) => {
          const next = readOnly ? undefined : readPasted?.(type, draft, event)
          if (!next) return
          event.preventDefault()
          onChange(next)
        }}
      >
        <Inputs
          {...props}
          invalid={new Set(issues.map(partOf))}
          describedBy={issues.length > 0 ? id : undefined}
        />
      </div>
      <Issues id={id} issues={issues} />
      {issues.length > 0 && !readOnly && (
        <Suspense>
          <Readings
            type={type}
            draft={draft}
            parts={[...new Set(issues.map(partOf))]}
            label={label}
            onChange={onChange}
          />
        </Suspense>
      )}
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
  const { type, draft, onChange, label, onBlur, readOnly = false, invalid, describedBy } = props
  const { blank = valueText.none, renderLink, relationship: Relationship } = props
  const part = (name: Part) => ({
    value: draft[name] ?? '',
    onChange: (text: string) => onChange(typed(draft, name, text)),
    onBlur,
    name,
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
          <MomentField {...text} label={valueText.part.datetime(label)} kind="datetime" />
          <span className={classes.unit} aria-hidden>
            {valueText.utc}
          </span>
        </>
      )
    case 'CURRENCY':
      return (
        <>
          <Field {...text} label={valueText.part.amount(label)} inputMode="decimal" size={16} />
          <CurrencyCode {...part('currency')} label={valueText.part.currency(label)} />
        </>
      )
    case 'RELATIONSHIP': {
      const ids = { size: 36, mono: true }
      const user = {
        ...text,
        ...ids,
        label: valueText.part.user(label),
        placeholder: valueText.placeholder.user,
      }
      const entity = {
        ...part('entity'),
        ...ids,
        label: valueText.part.entity(label),
        placeholder: valueText.placeholder.entity,
      }
      return (
        <>
          {Relationship && !readOnly ? (
            <Relationship
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
          {/* What is typed to find somebody must not become an address. */}
          {!isBlank(draft) &&
            !valueOf(type, draft).issues &&
            renderLink?.({ user: draft.text.trim(), entity: draft.entity?.trim() || undefined })}
        </>
      )
    }
    case 'PREFERENCE':
      return (
        <>
          <Choice
            {...text}
            label={valueText.part.status(label)}
            disabled={readOnly}
            options={[{ value: '', label: blank }, ...statuses]}
            size={10}
          />
          <MomentField
            {...part('statusDate')}
            label={valueText.part.statusDate(label)}
            placeholder={valueText.placeholder.statusDate}
            kind="datetime"
          />
          <MomentField
            {...part('expires')}
            label={valueText.part.expires(label)}
            placeholder={valueText.placeholder.expires}
            kind="datetime"
          />
        </>
      )
    default: {
      const none = draft.none === true && draft.text === ''
      const clear = !none && !readOnly && (
        <ClearButton
          label={valueText.clear(label)}
          onClick={() => onChange({ ...typed(draft, 'text', ''), none: true })}
        />
      )
      return (
        <>
          <Area
            {...text}
            placeholder={none ? blank : valueText.emptyText}
            right={clear}
            mono={draft.json === true}
          />
          {!isDataType(type) && !readOnly && (
            <Choice
              label={valueText.rawAs}
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

const statuses = Object.entries(valueText.status).map(([value, label]) => ({ value, label }))
const rawForms = [
  { value: 'text', label: valueText.rawText },
  { value: 'json', label: valueText.rawJson },
]
