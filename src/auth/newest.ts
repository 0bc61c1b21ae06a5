import type { SignIn } from './sign-in.ts'
import type { RunningSession } from './tokens.ts'

/** Another tab that has the session and does not answer by then is not waited for any longer. */
const answerMs = 1000

/** The running session of another tab; none where there is none, or where nobody answers in time. */
export async function ofAnotherTab(signIn: SignIn): Promise<RunningSession | undefined> {
  const { kept, held } = signIn
  if (!kept.isKept || (await held.all()).length === 0) return undefined
  return newest(signIn, (session) => kept.isValid(session))
}

/**
 * Waits for the tokens of a renewal that another tab has made and whose word is still on its way: the old ones may not be
 * used again.
 */
export async function awaitLater(signIn: SignIn, { id, renewals }: RunningSession): Promise<void> {
  if (!signIn.kept.isKept) return
  const isLater = (set: Pick<RunningSession, 'id' | 'renewals'>) => set.id === id && set.renewals > renewals
  const sets = await signIn.held.all()
  if (sets.some(isLater)) await newest(signIn, isLater)
}

async function newest(
  { tabs, held }: SignIn,
  isWanted: (session: RunningSession) => boolean,
): Promise<RunningSession | undefined> {
  const sets = await held.all()
  const isNewest = ({ id, renewals }: RunningSession) =>
    sets.every((other) => other.id !== id || other.renewals <= renewals)
  const answer = tabs.next(
    (message): message is typeof message & { type: 'session' } =>
      message.type === 'session' && isNewest(message.session) && isWanted(message.session),
    AbortSignal.timeout(answerMs),
  )
  tabs.send({ type: 'session-wanted' })
  return answer.then(
    ({ session }) => session,
    () => undefined,
  )
}
