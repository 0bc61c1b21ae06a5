import { Button } from '@mantine/core'
import { useBeforeUnload, useBlocker } from 'react-router'

import { segments as text } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/** Mounted while something typed would be lost: asks before it is left, by a link, Back, or closing the tab. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => nextLocation.pathname !== currentLocation.pathname,
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
