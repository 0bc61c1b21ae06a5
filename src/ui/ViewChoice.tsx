import { useId } from 'react'

import classes from './ViewChoice.module.css'

export interface ViewChoiceProps<View extends string> {
  readonly label: string
  /** In their order, with what they are called. */
  readonly views: Readonly<Record<View, string>>
  readonly shown: View
  readonly onShow: (view: View) => void
  /** Somebody is about to choose another one. */
  readonly onNear?: () => void
}

/** How something is shown: one of a few ways, all of them in sight. */
export function ViewChoice<View extends string>(props: ViewChoiceProps<View>) {
  const { label, views, shown, onShow, onNear } = props
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classes.root}
      onPointerEnter={onNear}
      onFocus={onNear}
    >
      {(Object.keys(views) as View[]).map((view) => (
        <label key={view} className={classes.view}>
          <input
            type="radio"
            className="ds-visually-hidden"
            name={name}
            checked={shown === view}
            onChange={() => onShow(view)}
          />
          {views[view]}
        </label>
      ))}
    </div>
  )
}
