/** Reason for which a sign-in failed. */
export type SignInFault =
  /** The provider refused the person, or the person cancelled there. */
  | 'denied'
  /** The provider does not grant the requested scope. */
  | 'scope'
  /** The provider refuses the request: it does not know the client or this address. */
  | 'refused'
  /** The response belongs to no sign-in that this tab waits for: it was already used, or took too long. */
  | 'over'
  /** The response comes from another provider, or is for another client. */
  | 'foreign'
  /** The provider does not answer, or answers with a failure of its own. */
  | 'away'
  /** The page's content security policy blocks requests to the provider. */
  | 'policy'
  /** Over plain http, browsers withhold the functions that a sign-in needs. */
  | 'insecure'
  | 'unknown'

export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly fault: SignInFault
  /** The provider's message, or the address that answered or is blocked; for the administrator who sets this up. */
  readonly said: string | undefined

  constructor(fault: SignInFault, { said, cause }: { said?: string | undefined; cause?: unknown } = {}) {
    super(`The sign-in was not completed: ${fault}.`, { cause })
    this.fault = fault
    this.said = said
  }
}
