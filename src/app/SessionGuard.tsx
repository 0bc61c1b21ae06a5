import { lazy, Suspense, useEffect } from 'react'

import { useSessionState } from '../auth/use-session.ts'
import { firstPage } from './first-page.ts'
import classes from './Shell.module.css'

const load = async () => ({ default: (await import('./SessionDialog.tsx')).SessionDialog })
const SessionDialog = lazy(load)

/** Asks the person whose session is about to lock, or is locked. */
export function SessionGuard() {
  const state = useSessionState()
  useEffect(() => {
    // Fetched behind the first page, for a session that ends while there is no network.
    void firstPage.then(load).catch(() => undefined)
  }, [])
  if (state.status !== 'idle' && state.status !== 'locked') return null
  // A locked page is covered while its question is fetched; where that fails, the shell's failure takes the page's place.
  return (
    <Suspense fallback={state.status === 'locked' && <div className={classes.cover} />}>
      <SessionDialog state={state} />
    </Suspense>
  )
}
