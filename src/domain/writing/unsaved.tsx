import { Button } from '@mantine/core'
import { use, useEffect } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'

import { shellText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { HeldContext } from '../put-away/PutAway.tsx'

/** Navigation state that skips the leave guard: the edit was saved, or its object was deleted. */
export const nothingToLose = { nothingToLose: true }

export interface UnsavedProps {
  /** Whether the edit stays mounted at a path; by default, every other path loses it. */
  readonly staysAt?: ((pathname: string) => boolean) | undefined
  /** Question to ask if something other than typed text would be lost. */
  readonly question?: typeof shellText.leave | undefined
}

// Unsaved edits on the page. The router supports only one blocker, so a single guard handles all of them.
const edits = new Set<UnsavedProps>()
/** Question of the open dialog, kept while the dialog is open even if the edit has ended in the meantime. */
let question = shellText.leave

/** Marker that a form mounts while it has unsaved edits. */
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

/** Asks before unsaved edits are lost by following a link, going back or closing the tab. Mounted in the shell. */
export function LeaveGuard() {
  useBeforeUnload((event) => {
    if (edits.size > 0) event.preventDefault()
  })
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (nextLocation.pathname === currentLocation.pathname) return false
    if ((nextLocation.state as Partial<typeof nothingToLose> | null)?.nothingToLose === true) return false
    const lost = [...edits].filter(({ staysAt }) => staysAt?.(nextLocation.pathname) !== true)
    question = lost.find(({ question }) => question)?.question ?? shellText.leave
    return lost.length > 0
  })
  if (blocker.state !== 'blocked') return null
  return <LeaveDialog words={question} onStay={() => blocker.reset()} onLeave={() => blocker.proceed()} />
}

interface LeaveDialogProps {
  readonly words: typeof shellText.leave
  readonly onStay: () => void
  readonly onLeave: () => void
}

export function LeaveDialog({ words, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      title={words.title}
      onClose={onStay}
      actions={
        <>
          <Button variant="default" onClick={onLeave}>
            {words.leave}
          </Button>
          <Button onClick={onStay}>{words.stay}</Button>
        </>
      }
    >
      <p>{words.body}</p>
    </Dialog>
  )
}
