import { attemptText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'

export interface AttemptOutcomeProps {
  /** HTTP status of the receiver's answer; null or undefined where none came. */
  readonly status: number | null | undefined
  /** Absent for an attempt that arrived. */
  readonly error: string | null | undefined
}

/** Codes of another service are shown as they come. */
const errorTexts: Readonly<Record<string, string>> = attemptText.errors

/** Outcome of one attempt at a delivery: in words, with the status of the answer. */
export function AttemptOutcome({ status, error }: AttemptOutcomeProps) {
  return (
    <StateMark tone={error == null ? 'success' : 'failure'}>
      <span>
        {error == null ? attemptText.arrived : (errorTexts[error] ?? error)}
        {status != null && (
          <>
            {' '}
            <span className="ds-dimmed">{attemptText.status({ status: String(status) })}</span>
          </>
        )}
      </span>
    </StateMark>
  )
}
