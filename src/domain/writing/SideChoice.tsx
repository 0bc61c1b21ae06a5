import { type ReactNode, useId } from 'react'

import classes from './SideChoice.module.css'

/** Of two edits of the same thing, the one here and the one that came before it. */
export type Side = 'mine' | 'theirs'

export interface SideChoiceProps {
  /** What both changed. */
  readonly legend: ReactNode
  readonly who: Readonly<Record<Side, string>>
  readonly what: Readonly<Record<Side, ReactNode>>
  readonly chosen: Side | undefined
  readonly onChoose: (side: Side) => void
  /** What it was before, who changed it. */
  readonly note?: ReactNode
}

/** Two values side by side in a dialog, one of which is to be chosen. None is at first. */
export function SideChoice({ legend, who, what, chosen, onChoose, note }: SideChoiceProps) {
  const name = useId()
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.sides}>
        {(['mine', 'theirs'] as const).map((side) => (
          <label key={side} className={classes.side}>
            <input
              type="radio"
              name={name}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              data-autofocus
            />
            <span className={classes.who}>{who[side]}</span>{' '}
            <span className={classes.what}>{what[side]}</span>
          </label>
        ))}
      </div>
      {note !== undefined && <div className={classes.note}>{note}</div>}
    </fieldset>
  )
}
