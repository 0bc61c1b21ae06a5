import { type ReactNode, useId } from 'react'

import { entities as text } from '../../messages/index.ts'
import { Field } from '../../ui/value/Field.tsx'
import type { EntityDraft } from './draft.ts'
import classes from './EntityForm.module.css'

export interface EntityHeadProps {
  readonly draft: EntityDraft
  readonly suggestions: readonly string[]
  readonly issue: string | undefined
  readonly readOnly: boolean
  readonly onType: (type: string) => void
  /** Beside the type. */
  readonly aside: ReactNode
}

/** The type of an entity, free to write, with those that are usual to choose from. */
export function EntityHead({ draft, suggestions, issue, readOnly, onType, aside }: EntityHeadProps) {
  const id = useId()
  const { type, loaded, typeMeanwhile } = draft
  return (
    <div className={classes.entity}>
      {readOnly ? (
        <h2 className={classes.entityTitle}>{type}</h2>
      ) : (
        <label className={classes.entityType}>
          <span className={classes.label}>{text.form.typeLabel}</span>
          <Field
            label={text.form.type}
            value={type}
            placeholder={text.form.typePlaceholder}
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
      {aside}
      {issue !== undefined ? (
        <p id={`${id}-issue`} className={classes.issue}>
          {issue}
        </p>
      ) : (
        !loaded && <p className={classes.note}>{text.form.typeHint}</p>
      )}
      {typeMeanwhile === true && <p className={classes.warning}>{text.meanwhile.type(loaded?.type ?? '')}</p>}
    </div>
  )
}
