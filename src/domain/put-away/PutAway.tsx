import { type FormEvent, type ReactNode, use, useMemo, useState } from 'react'

import { AwayContext, HeldContext } from './put-away.ts'

export interface PutAwayProps {
  readonly children: ReactNode
  /** Content shown while the children are removed. */
  readonly instead?: ReactNode
}

const draftBoxes = 'textarea, input:not([type="search"], [type="checkbox"], [type="radio"])'

/**
 * Removes its children from the document while the session is locked, since they show user data. Children with an
 * unsaved edit or typed input stay, including their dialogs.
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
      {/* React events also bubble up from dialogs, which are portals elsewhere in the document. */}
      <div style={{ display: 'contents' }} onInput={note}>
        {children}
      </div>
    </HeldContext>
  )
}
