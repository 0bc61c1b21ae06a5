import { sharedText } from '../../messages/index.ts'
import classes from './Mask.module.css'

export interface MaskProps {
  /** Text for screen readers, used if there is no text beside the bar. */
  readonly label?: string
  /** Text about the value, beside the bar. */
  readonly children?: string
}

/** Placeholder for a masked value, which the screen calls hidden. Its width does not depend on the value. */
export function Mask({ label = sharedText.hiddenValue, children }: MaskProps) {
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
