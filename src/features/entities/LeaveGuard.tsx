import { Button } from '@mantine/core'
import { useBeforeUnload, useBlocker } from 'react-router'

import { entities as text } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/** State of a navigation after which there is nothing left to lose: it was saved, or its entity was deleted. */
export const nothingToLose = { nothingToLose: true }

/** Mounted while there are unsaved edits: asks before they are left, by a link, Back, or closing the tab. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      nextLocation.pathname !== currentLocation.pathname &&
      (nextLocation.state as Partial<typeof nothingToLose> | null)?.nothingToLose !== true,
  )
  useBeforeUnload((event) => event.preventDefault())
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
