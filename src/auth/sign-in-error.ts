/** Why a sign-in came to nothing. */
export type SignInFault =
  /** The provider let the person not in, or the person gave up there. */
  | 'denied'
  /** The provider does not give out what the console asks for. */
  | 'scope'
  /** The provider does not take the console's request: it knows no such client, or not this address. */
  | 'refused'
  /** The answer is of no sign-in that this tab waits for: it was used already, or took too long. */
  | 'over'
  /** The answer is of another provider, or for another client. */
  | 'foreign'
  /** The provider does not answer, or with a failure of its own. */
  | 'away'
  /** The policy of the page forbids to ask the provider where it is. */
  | 'policy'
  /** Over plain http a browser gives no page what a sign-in takes. */
  | 'insecure'
  | 'unknown'

/** The provider's answer cannot be used: refused, damaged, or from a sign-in that this tab did not begin. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly fault: SignInFault
  /** The provider's message, or the address that answered or is blocked: for the administrator who sets this up. */
  readonly said: string | undefined

  constructor(
    fault: SignInFault,
    options: { readonly said?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(`The sign-in was not completed: ${fault}.`, { cause: options.cause })
    this.fault = fault
    this.said = options.said
  }
}
