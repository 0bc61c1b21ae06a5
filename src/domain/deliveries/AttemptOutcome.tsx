import { attemptText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'

export interface AttemptOutcomeProps {
  /** Of the answer, where there was one. */
  readonly status: number | null | undefined
  /** Absent: it arrived. */
  readonly error: string | null | undefined
}

/** What became of a try of a delivery: words, and the status of the answer. */
export function AttemptOutcome({ status, error }: AttemptOutcomeProps) {
  return (
    <StateMark tone={error == null ? 'success' : 'failure'}>
      <span>
        {error == null ? attemptText.arrived : attemptText.error(error)}
        {status != null && (
          <>
            {' '}
            <span className="ds-dimmed">{attemptText.status(status)}</span>
          </>
        )}
      </span>
    </StateMark>
  )
}
