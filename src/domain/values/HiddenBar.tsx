import { sharedText } from '../../messages/index.ts'
import classes from './HiddenBar.module.css'

export interface HiddenBarProps {
  /** Text for screen readers, used if there is no text beside the bar. */
  readonly label?: string
  /** Text about the value, beside the bar. */
  readonly children?: string
}

/** Placeholder for a hidden sensitive value. Its width does not depend on the value. */
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
