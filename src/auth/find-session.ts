import { signedOut } from './session-store.ts'
import type { SessionChannel } from './session-channel.ts'
import type { RunningSession } from './tokens.ts'

/** Time limit for another tab that has the session to answer. */
const answerMs = 1000

/** Returns the session of another tab; undefined after a sign-out in this tab, or if no tab answers in time. */
export async function ofAnotherTab(shared: SessionChannel): Promise<RunningSession | undefined> {
  const { store } = shared
  if (signedOut.get() || !store.isPersistent) return undefined
  return newest(shared, (session) => store.isValid(session))
}

/** Waits for another tab's renewal whose message is still on its way: the old tokens must not be used again. */
export async function awaitLater(shared: SessionChannel, { id, renewals }: RunningSession): Promise<void> {
  if (!shared.store.isPersistent) return
  const isLater = (set: Pick<RunningSession, 'id' | 'renewals'>) => set.id === id && set.renewals > renewals
  const sets = await shared.lock.all()
  if (sets.some(isLater)) await newest(shared, isLater)
}

/** Asks all other tabs at once. The newest answer is recognized once the browser has listed the locks. */
async function newest(
  { tabs, lock }: SessionChannel,
  isWanted: (session: RunningSession) => boolean,
): Promise<RunningSession | undefined> {
  const { promise: found, resolve } = Promise.withResolvers<RunningSession | undefined>()
  const answers: RunningSession[] = []
  let evaluate = () => {}
  const stopListening = tabs.listen((message) => {
    if (message.type !== 'session') return
    answers.push(message.session)
    evaluate()
  })
  tabs.send({ type: 'session-wanted' })
  const sets = await lock.all()
  evaluate = () => {
    const isNewest = ({ id, renewals }: RunningSession) =>
      sets.every((other) => other.id !== id || other.renewals <= renewals)
    const answer = answers.find((session) => isNewest(session) && isWanted(session))
    if (answer || sets.length === 0) resolve(answer)
  }
  evaluate()
  const timer = setTimeout(resolve, answerMs)
  return found.finally(() => {
    stopListening()
    clearTimeout(timer)
  })
}
