import { transferText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import classes from './ProgressLine.module.css'

export interface ProgressLineProps {
  readonly label: string
  readonly done: number
  /** Total; undefined if it is unknown. */
  readonly of: number | undefined
  /** Follows the counts once it is known: the speed, and the time left. */
  readonly pace?: string | undefined
  /** Seconds to wait, if the service has asked for a pause. */
  readonly waitSeconds?: number | undefined
}

/** Progress text such as "1,250 of 8,031" with a progress bar. */
export function ProgressLine({ label, done, of, pace = '', waitSeconds }: ProgressLineProps) {
  return (
    <div className={classes.progress}>
      <progress
        aria-label={label}
        className={classes.bar}
        {...(of !== undefined && { value: Math.min(done, of), max: Math.max(of, 1) })}
      />
      <p className={classes.count}>
        {of === undefined ? number(done) : transferText.progress({ done, total: of })}
        {pace}
      </p>
      <Announced as="p" className={classes.waiting}>
        {waitSeconds !== undefined && transferText.waiting({ seconds: waitSeconds })}
      </Announced>
    </div>
  )
}
