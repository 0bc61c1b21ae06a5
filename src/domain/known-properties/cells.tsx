import { memo } from 'react'

import { entityText } from '../../messages/index.ts'
import { Choice, type ChoiceProps } from '../values/Field.tsx'
import type { KnownProperty } from './known-property.ts'
import { SensitivitySwitch, useSensitivity } from './sensitivity.tsx'
import classes from './RowFrame.module.css'

const { form } = entityText

/** Attributes of an input whose issue is shown by `CellIssue`. */
export const issueProps = (id: string, issue: string | undefined) => ({
  invalid: issue !== undefined,
  describedBy: issue === undefined ? undefined : id,
})

/** Issue of the input above it. */
export function CellIssue({ id, children }: { readonly id: string; readonly children: string | undefined }) {
  return children === undefined ? null : (
    <p id={id} className={classes.issue}>
      {children}
    </p>
  )
}

// The two cells below are memoised, so that they do not render again while a value is typed.

interface CellProps {
  /** Id of the row. */
  readonly id: string
  /** Label of the property. */
  readonly name: string
}

interface TypeChoiceProps
  extends CellProps, Pick<ChoiceProps, 'value' | 'options' | 'disabled' | 'onChange'> {
  readonly issue: string | undefined
}

export const TypeChoice = memo(function TypeChoice({ id, name, issue, ...choice }: TypeChoiceProps) {
  return (
    <>
      <Choice {...choice} label={form.typeOf({ label: name })} {...issueProps(`${id}-type`, issue)} />
      <CellIssue id={`${id}-type`}>{issue}</CellIssue>
    </>
  )
})

interface LockProps extends Omit<CellProps, 'id'> {
  readonly entityType: string | undefined
  /** Key of the property. */
  readonly property: string
  readonly known: KnownProperty | undefined
  /** Whether the property is stored as sensitive under its current key. */
  readonly isStored?: boolean
  readonly on: boolean
  readonly onChange: (sensitive: boolean) => void
}

export const Lock = memo(function Lock(props: LockProps) {
  const { name, entityType, property, known, isStored, on, onChange } = props
  const switching = useSensitivity(entityType, { key: property, sensitive: on }, known, onChange, isStored)
  return (
    <SensitivitySwitch
      {...{ switching, on }}
      label={form.sensitiveOf({ label: name })}
      meaning={form.sensitive}
      className={classes.lock}
    />
  )
})
