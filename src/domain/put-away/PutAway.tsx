import { type FormEvent, type ReactNode, use, useMemo, useState } from 'react'

import { AwayContext, HeldContext } from './put-away.ts'

export interface PutAwayProps {
  readonly children: ReactNode
  /** Until it is back. */
  readonly instead?: ReactNode
}

const draftBoxes = 'textarea, input:not([type="search"], [type="checkbox"], [type="radio"])'

/**
 * A part of the page that is taken out of the document while the session is locked, since it tells of users. With an edit
 * in it that is not saved, or something typed, it stays as it is, dialogs of its own included.
 */
export function PutAway({ children, instead = null }: PutAwayProps) {
  const isTime = use(AwayContext)
  const above = use(HeldContext)
  const [edits] = useState(() => new Set<object>())
  const [boxes] = useState(() => new Set<HTMLInputElement>())
  const [wasTime, setWasTime] = useState(isTime)
  const [isAway, setAway] = useState(isTime)
  const held = useMemo(
    () => ({
      hold(edit: object) {
        edits.add(edit)
        const release = above?.hold(edit)
        return () => {
          edits.delete(edit)
          release?.()
        }
      },
    }),
    [edits, above],
  )
  const note = ({ target }: FormEvent) => {
    if (target instanceof Element && target.matches(draftBoxes)) boxes.add(target as HTMLInputElement)
  }
  if (isTime !== wasTime) {
    const hasText = [...boxes].some(({ isConnected, value }) => isConnected && value !== '')
    setWasTime(isTime)
    setAway(isTime && edits.size === 0 && !hasText)
  }
  if (isAway) return instead
  return (
    <HeldContext value={held}>
      {/* React hands on what is typed in dialogs, too, which stand elsewhere in the document. */}
      <div style={{ display: 'contents' }} onInput={note}>
        {children}
      </div>
    </HeldContext>
  )
}
