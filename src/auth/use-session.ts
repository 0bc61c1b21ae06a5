import { createContext, use, useSyncExternalStore } from 'react'

import type { Scope } from '#contract/index.ts'
import { scopeText } from '../messages/index.ts'
import type { Person, Session, SessionState } from './session.ts'

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('There is no session here.')
  return session
}

export function useSessionState(): SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.state)
}

export function usePerson(): Person {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.person)
}

/** Returns why the person may not; undefined if they have the scopes, or if that is unknown and the service decides. */
export function useDenied(...needed: readonly Scope[]): string | undefined {
  return useDenial()(...needed)
}

/** Returns `useDenied` as a function, for a list of actions that need different scopes. */
export function useDenial() {
  const { scopes } = usePerson()
  return (...needed: readonly Scope[]): string | undefined => {
    const missing = scopes && needed.find((scope) => !scopes.has(scope))
    return missing === undefined ? undefined : describeDenial(missing)
  }
}

/** Returns the sentence that says what a role without this scope may not do. */
export function describeDenial(scope: string | undefined): string {
  return (scopeText.lacking as Readonly<Record<string, string>>)[scope ?? ''] ?? scopeText.other
}
