import { attemptText } from '../../messages/index.ts'
import classes from './AttemptOutcome.module.css'

export interface AttemptOutcomeProps {
  /** Of the answer, where there was one. */
  readonly status: number | null | undefined
  /** Absent: it arrived. */
  readonly error: string | null | undefined
}

/** What became of a try of a delivery: a dot, words, and the status of the answer. */
export function AttemptOutcome({ status, error }: AttemptOutcomeProps) {
  const failed = error !== null && error !== undefined
  return (
    <span className={classes.root} data-failed={failed || undefined}>
      <span>
        {failed ? attemptText.error(error) : attemptText.arrived}
        {status !== null && status !== undefined && (
          <>
            {' '}
            <span className={classes.status}>{attemptText.status(status)}</span>
          </>
        )}
      </span>
    </span>
  )
}
