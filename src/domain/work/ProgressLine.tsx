import { number } from '../../messages/format.ts'
import { transferText } from '../../messages/index.ts'
import classes from './ProgressLine.module.css'

export interface ProgressLineProps {
  readonly label: string
  readonly done: number
  /** Absent where it is not known. */
  readonly of: number | undefined
  /** The service asked for a pause. */
  readonly waitSeconds?: number | undefined
}

/** "1,250 of 8,031" and its bar. */
export function ProgressLine({ label, done, of, waitSeconds }: ProgressLineProps) {
  return (
    <div className={classes.progress}>
      <progress
        aria-label={label}
        className={classes.bar}
        {...(of !== undefined && { value: Math.min(done, of), max: Math.max(of, 1) })}
      />
      <p className={classes.count}>
        {of === undefined ? number(done) : transferText.progress({ done, total: of })}
      </p>
      <p aria-live="polite" className={classes.waiting}>
        {waitSeconds !== undefined && transferText.waiting({ seconds: waitSeconds })}
      </p>
    </div>
  )
}
