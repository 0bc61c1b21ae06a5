import { SignInError } from '../../auth/sign-in-error.ts'
import { language, shellText, signInText } from '../../messages/index.ts'
import type { SettingsFault } from '../../api/settings.ts'

export interface SignInWords {
  readonly title: string
  readonly body: string
  /** Details for the administrator who sets up the sign-in. */
  readonly said: string | undefined
}

export function describeSignIn(error: unknown): SignInWords {
  if (!(error instanceof SignInError)) return { ...signInText.unknown, said: undefined }
  const { fault, said } = error
  return { ...signInText[fault], said: said === undefined ? undefined : describeSaid(fault, said) }
}

function describeSaid(fault: SignInError['fault'], said: string): string {
  return fault === 'policy' || fault === 'foreign'
    ? signInText.said.address({ address: said })
    : signInText.said.provider({ words: said })
}

const alternatives = new Intl.ListFormat(language, { type: 'disjunction' })

export function describeSettingsFault({ place, kind, values = [] }: SettingsFault): string {
  return shellText.badSettings.faults[kind]({
    place,
    values: kind === 'notChoice' ? alternatives.format(values) : values.join(', '),
  })
}
