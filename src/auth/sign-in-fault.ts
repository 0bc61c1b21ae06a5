import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts'

import { SignInError, type SignInFault } from './sign-in-error.ts'

/** Of errors in the answers of OAuth and OpenID Connect; any other is a request that is not taken. */
const faults: Readonly<Record<string, SignInFault>> = {
  access_denied: 'denied',
  login_required: 'denied',
  interaction_required: 'denied',
  consent_required: 'denied',
  account_selection_required: 'denied',
  invalid_scope: 'scope',
  invalid_grant: 'over',
  server_error: 'away',
  temporarily_unavailable: 'away',
}

/** So much of what a provider says is shown. */
const longest = 300

/** Says why what asks the provider failed. */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  let forbidden: string | undefined
  const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'connect-src') forbidden = URL.parse(blockedURI)?.origin
  }
  document.addEventListener('securitypolicyviolation', note)
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof SignInError) throw cause
    // A violation is told behind the failure that it made.
    if (cause instanceof TypeError) await new Promise((resolve) => setTimeout(resolve, 100))
    throw forbidden === undefined ? faultOf(cause) : new SignInError('policy', { said: forbidden, cause })
  } finally {
    document.removeEventListener('securitypolicyviolation', note)
  }
}

function faultOf(cause: unknown): SignInError {
  if (cause instanceof ErrorResponse) {
    const { error, error_description: description } = cause
    const said = (description ?? error ?? '').slice(0, longest) || undefined
    return new SignInError(faults[error ?? ''] ?? 'refused', { said, cause })
  }
  // The library tells the rest of its failures by their message alone.
  const message = cause instanceof Error ? cause.message : ''
  if (message.startsWith('No matching state') || message.startsWith('No state in'))
    return new SignInError('over', { cause })
  // A page of HTML is what stands before a provider that is down.
  const isFailing = /\((404|429|5\d\d)\)|^Invalid response Content-Type/.test(message)
  const isAway = cause instanceof TypeError || cause instanceof ErrorTimeout || isFailing
  return new SignInError(isAway ? 'away' : 'unknown', { cause })
}
