import { useSessionState } from '../auth/use-session.ts'
import { SessionDialog } from './SessionDialog.tsx'

/** Shows a dialog when the session is about to lock or is locked. */
export function SessionGuard() {
  const state = useSessionState()
  if (state.status !== 'idle' && state.status !== 'locked') return null
  return <SessionDialog state={state} />
}
