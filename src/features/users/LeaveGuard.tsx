import { Button } from '@mantine/core'
import { useRef } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

import { users as text } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/** State of a navigation after which there is nothing left to lose: the user was deleted. */
export const nothingToLose = { nothingToLose: true }

export interface LeaveGuardProps {
  /** Addresses at which the edit stays mounted; without it every other page asks. */
  readonly staysAt?: (pathname: string) => boolean
}

/** Mounted while there are unsaved edits: asks before they are left, by a link, Back, or closing the tab. */
export function LeaveGuard({ staysAt }: LeaveGuardProps) {
  const askingOthers = useRef(false)
  useBeforeUnload((event) => {
    if (!askingOthers.current) event.preventDefault()
  })
  // The router listens to one guard, the latest. So it answers for an entity's edits too, and finds out about them as
  // the browser does when a tab is closed: whoever has something to lose prevents the unloading.
  const othersWouldLose = () => {
    askingOthers.current = true
    const isFree = dispatchEvent(new Event('beforeunload', { cancelable: true }))
    askingOthers.current = false
    return !isFree
  }
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      nextLocation.pathname !== currentLocation.pathname &&
      (nextLocation.state as Partial<typeof nothingToLose> | null)?.nothingToLose !== true &&
      (staysAt?.(nextLocation.pathname) !== true || othersWouldLose()),
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog
      title={text.leave.title}
      onClose={() => blocker.reset()}
      actions={
        <>
          <Button variant="default" onClick={() => blocker.proceed()}>
            {text.leave.leave}
          </Button>
          <Button onClick={() => blocker.reset()}>{text.leave.stay}</Button>
        </>
      }
    >
      <p>{text.leave.body}</p>
    </Dialog>
  )
}
