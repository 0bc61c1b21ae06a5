import { attemptText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'

export interface AttemptOutcomeProps {
  /** HTTP status of the receiver's response; null or undefined if there was none. */
  readonly status: number | null | undefined
  /** Null or undefined for a successful attempt. */
  readonly error: string | null | undefined
}

/** Texts by error code. Unknown codes, as from another service, are shown as they are. */
const errorTexts: Readonly<Record<string, string>> = attemptText.errors

/** Renders the outcome of a delivery attempt in words, with the HTTP status of the response. */
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
