import { Button } from '@mantine/core'
import { lazy, Suspense, useId, useState } from 'react'

import type { ValueIssue } from '#contract/index.ts'

import { valueText } from '../../messages/index.ts'
import { opened, partOf } from './draft.ts'
import type { pasted } from './Readings.tsx'
import { TypedInputs, type TypedInputsProps } from './TypedInputs.tsx'
import classes from './value.module.css'

export interface ValueInputProps extends Omit<TypedInputsProps, 'invalid' | 'describedBy'> {
  /** What is wrong, from `valueOf` or from the service: shown at the part it belongs to. */
  readonly issues?: readonly ValueIssue[] | undefined
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
  const [isOpened, setOpened] = useState(false)
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
            onClick={() => {
              setOpened(true)
              onChange(opened(type, draft))
            }}
          >
            {valueText.editText}
          </Button>
        )}
        <span className={classes.unfitNote}>{valueText.unfit(type)}</span>
        <Issues id={id} issues={issues} />
      </div>
    )
  return (
    <div className={classes.root} ref={isOpened ? focusFirst : undefined}>
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
        <TypedInputs
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

/** The button that opened a value for editing has gone with that. */
function focusFirst(inputs: HTMLElement | null) {
  if (document.activeElement === document.body)
    inputs?.querySelector<HTMLElement>('input, textarea, select')?.focus()
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
