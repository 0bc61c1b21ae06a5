import { Button } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'

import type { Renewal } from '../auth/session.ts'
import { useSession, useSessionState } from '../auth/use-session.ts'
import { isClipboardKept, watchClipboard } from '../domain/clipboard-guard.ts'
import { shellText, signInText } from '../messages/index.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { showWhile } from '../ui/toast.tsx'
import { describeSignIn } from './Notice.tsx'

/** Dialog over the page when its session is about to lock or is locked. The page behind stays mounted. */
export function SessionGuard() {
  const state = useSessionState()
  const isKept = useSyncExternalStore(watchClipboard, isClipboardKept)
  const isOpen = state.status !== 'locked'
  useEffect(
    () => (isKept && isOpen ? showWhile({ message: shellText.clipboardKept, tone: 'failure' }) : undefined),
    [isKept, isOpen],
  )
  if (state.status === 'idle') return <IdleWarning lockAtMs={state.lockAtMs} />
  return state.status === 'locked' && <Locked reason={state.reason} />
}

/** Tells that the browser keeps a copied value in the clipboard. */
export function ClipboardNote() {
  return (
    useSyncExternalStore(watchClipboard, isClipboardKept) && <p role="alert">{shellText.clipboardKept}</p>
  )
}

function IdleWarning({ lockAtMs }: { readonly lockAtMs: number }) {
  const session = useSession()
  const left = () => Math.max(0, Math.ceil((lockAtMs - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(timer)
  })
  return (
    <Dialog
      title={shellText.session.idleTitle}
      onClose={() => session.stay()}
      actions={<Button onClick={() => session.stay()}>{shellText.session.stay}</Button>}
    >
      <p>{shellText.session.idleBody({ seconds })}</p>
    </Dialog>
  )
}

type RenewalAttempt = 'none' | 'waiting' | Exclude<Renewal, 'renewed'>

function noteOf(attempt: RenewalAttempt): string {
  switch (attempt) {
    case 'none':
    case 'signed-out':
      return ''
    case 'waiting':
      return shellText.session.waiting
    case 'blocked':
      return shellText.session.popupBlocked
    default: {
      const { title, body, said } = describeSignIn(attempt)
      const line = signInText.line({ title, body })
      return said === undefined ? line : `${line} ${said}`
    }
  }
}

function Locked({ reason }: { readonly reason: 'idle' | 'expired' }) {
  const session = useSession()
  const [attempt, setAttempt] = useState<RenewalAttempt>('none')
  const renew = async () => {
    setAttempt('waiting')
    const outcome = await session.renew()
    if (outcome !== 'renewed') setAttempt(outcome)
  }
  return (
    <Dialog
      opaque
      title={shellText.session.lockedTitle}
      actions={
        <>
          <Button variant="default" onClick={() => void session.signOut()}>
            {shellText.signOut}
          </Button>
          {/* Stays enabled while a window is open: the window may have been closed, or lost behind others. */}
          <Button onClick={() => void renew()}>{shellText.session.signIn}</Button>
        </>
      }
    >
      <p>{reason === 'idle' ? shellText.session.lockedIdle : shellText.session.lockedExpired}</p>
      <ClipboardNote />
      <output>{noteOf(attempt)}</output>
    </Dialog>
  )
}
