import { type ReactNode, useId } from 'react'

import { entityText } from '../../messages/index.ts'
import { Field } from '../../domain/values/Field.tsx'
import { type EntityDraft } from './draft.ts'
import classes from './EntityForm.module.css'

export interface EntityHeadProps {
  readonly loaded: EntityDraft['loaded'] | undefined
  readonly type: string
  /** Somebody else set it too. */
  readonly undecided: boolean
  readonly suggestions: readonly string[]
  readonly issue: string | undefined
  readonly readOnly: boolean
  readonly onType: (type: string) => void
  /** Beside the type. */
  readonly aside: ReactNode
  /** The way to what it was before. */
  readonly history: ReactNode
}

/** The type of an entity, free to write, with those that are usual to choose from. */
export function EntityHead(props: EntityHeadProps) {
  const { loaded, type, undecided, suggestions, issue, readOnly, onType, aside, history } = props
  const id = useId()
  return (
    <div className={classes.entity}>
      {readOnly ? (
        <h2 className={classes.entityTitle}>{type}</h2>
      ) : (
        <label className={classes.entityType}>
          <span className={classes.label}>{entityText.form.typeLabel}</span>
          <Field
            label={entityText.form.type}
            value={type}
            placeholder={entityText.form.typePlaceholder}
            onChange={onType}
            invalid={issue !== undefined}
            describedBy={issue === undefined ? undefined : `${id}-issue`}
            list={`${id}-list`}
            size={24}
          />
          <datalist id={`${id}-list`}>
            {suggestions.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </datalist>
        </label>
      )}
      {history}
      {aside}
      {issue !== undefined ? (
        <p id={`${id}-issue`} className={classes.issue}>
          {issue}
        </p>
      ) : (
        !loaded && <p className={classes.note}>{entityText.form.typeHint}</p>
      )}
      {undecided && <p className={classes.warning}>{entityText.meanwhile.type(loaded?.type ?? '')}</p>}
    </div>
  )
}
