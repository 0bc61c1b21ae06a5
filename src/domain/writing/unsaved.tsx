import { use, useEffect } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

import { shellText } from '../../messages/index.ts'
import { HeldContext } from '../put-away/put-away.ts'
import { LeaveDialog } from './LeaveDialog.tsx'

/** State of a navigation after which there is nothing left to lose: it was saved, or what it was about is deleted. */
export const nothingToLose = { nothingToLose: true }

export interface UnsavedProps {
  /** Addresses at which the edit stays mounted; without it every other page would lose it. */
  readonly staysAt?: ((pathname: string) => boolean) | undefined
  /** Question to ask where the loss is of something other than typed text. */
  readonly question?: typeof shellText.leave | undefined
}

// All edits on the page: the router listens to one guard only, so one guard speaks for all of them.
const edits = new Set<UnsavedProps>()
/** Question of the open dialog. It stays while the dialog is open, even if the edit behind it has ended meanwhile. */
let asked = shellText.leave

/** Mounted by a form while it holds unsaved edits. */
export function Unsaved({ staysAt, question }: UnsavedProps) {
  const held = use(HeldContext)
  useEffect(() => {
    const edit = { staysAt, question }
    edits.add(edit)
    const release = held?.hold(edit)
    return () => {
      edits.delete(edit)
      release?.()
    }
  }, [staysAt, question, held])
  return null
}

/** Asks before unsaved edits are left, by a link, Back, or closing the tab. Once, in the shell. */
export function LeaveGuard() {
  useBeforeUnload((event) => {
    if (edits.size > 0) event.preventDefault()
  })
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (nextLocation.pathname === currentLocation.pathname) return false
    if ((nextLocation.state as Partial<typeof nothingToLose> | null)?.nothingToLose === true) return false
    const lost = [...edits].filter(({ staysAt }) => staysAt?.(nextLocation.pathname) !== true)
    asked = lost.find(({ question }) => question)?.question ?? shellText.leave
    return lost.length > 0
  })
  if (blocker.state !== 'blocked') return null
  return <LeaveDialog words={asked} onStay={() => blocker.reset()} onLeave={() => blocker.proceed()} />
}
