import { sharedText } from '../../messages/index.ts'
import classes from './HiddenBar.module.css'

export interface HiddenBarProps {
  /** For a screen reader, where nothing is said beside the bar. */
  readonly label?: string
  /** Text about the value, beside the bar. */
  readonly children?: string
}

/** In the place of a sensitive value that is not shown: as long whatever the value is. */
export function HiddenBar({ label = sharedText.hiddenValue, children }: HiddenBarProps) {
  if (children === undefined)
    return (
      <span className={classes.bar}>
        <span className="ds-visually-hidden">{label}</span>
      </span>
    )
  return (
    <span className={classes.said}>
      <span className={classes.bar} aria-hidden />
      {children}
    </span>
  )
}
