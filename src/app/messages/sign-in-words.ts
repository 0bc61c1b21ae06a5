import { SignInError } from '../../auth/sign-in-error.ts'
import { signInText } from '../../messages/index.ts'

export interface SignInWords {
  readonly title: string
  readonly body: string
  /** For who sets this up. */
  readonly said: string | undefined
}

/** Returns the texts for a failed sign-in. */
export function describeSignIn(error: unknown): SignInWords {
  if (!(error instanceof SignInError)) return { ...signInText.unknown, said: undefined }
  const { fault, said } = error
  const say = fault === 'policy' || fault === 'foreign' ? signInText.said.address : signInText.said.provider
  return { ...signInText[fault], said: said === undefined ? undefined : say(said) }
}
