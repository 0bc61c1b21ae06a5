import { signInText } from '../../messages/index.ts'
import { Notice } from './Notice.tsx'
import { describeSignIn } from './sign-in-words.ts'

export function SignInFailure({ error }: { readonly error: unknown }) {
  const { title, body, said } = describeSignIn(error)
  return (
    <Notice title={title} action={{ label: signInText.again, run: () => location.reload() }}>
      <p>{body}</p>
      {said !== undefined && <p>{said}</p>}
    </Notice>
  )
}
