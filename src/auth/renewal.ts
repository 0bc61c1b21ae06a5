import { awaitLater } from './find-session.ts'
import type { SignIn } from './sign-in.ts'
import { RenewalRefused, type RunningSession } from './tokens.ts'

const lockName = 'data-store.renewal'

interface Holder {
  readonly running: () => RunningSession | undefined
  /** Resolves when other tabs can see that this one has the session. */
  readonly accept: (next: RunningSession) => Promise<void>
}

/** Once in all tabs: a provider that sees two renewals by one refresh token may take it for theft. */
export function renewInTurn(signIn: SignIn, before: RunningSession, holder: Holder): Promise<void> {
  const isUnchanged = () => holder.running() === before
  return navigator.locks.request(lockName, async () => {
    if (isUnchanged()) await awaitLater(signIn, before)
    // Renewed elsewhere, locked or signed out: the answer is not wanted any more.
    if (!isUnchanged()) return
    const { kept, held } = signIn
    // The word of that may still be on its way.
    if (kept.isKept && (!kept.isValid(before) || (await held.isRefused(before))))
      throw new RenewalRefused('The session was ended.')
    const provider = await signIn.provider()
    const tokens = await provider.refreshed(before.tokens).catch(async (error: unknown) => {
      // Before the next tab has its turn, which would try the same.
      if (error instanceof RenewalRefused) {
        kept.end(before.id)
        if (kept.isKept) await held.refuse(before)
      }
      throw error
    })
    if (!isUnchanged()) return
    const next = { ...before, renewals: before.renewals + 1, tokens }
    await holder.accept(next)
    if (signIn.kept.isKept) signIn.tabs.send({ type: 'session', session: next })
  })
}
