import { type FormEvent, type ReactNode, use, useCallback, useState } from 'react'

import { AwayContext, HoldContext } from './put-away.ts'

export interface PutAwayProps {
  readonly children: ReactNode
  /** What a box of it holds is no draft: it is typed again in a moment. */
  readonly withText?: boolean
  /** Until it is back. */
  readonly instead?: ReactNode
}

const draftBoxes = 'textarea, input:not([type="search"], [type="checkbox"], [type="radio"])'
const contents = { display: 'contents' }

/**
 * A part of the page that is taken out of the document while the session is locked, since it tells of users. With an edit
 * in it that is not saved, or something typed, it stays as it is, dialogs of its own included.
 */
export function PutAway({ children, withText = false, instead = null }: PutAwayProps) {
  const isTime = use(AwayContext)
  const holdAbove = use(HoldContext)
  const [edits] = useState(() => new Set<object>())
  const [boxes] = useState(() => new Set<HTMLInputElement>())
  const [wasTime, setWasTime] = useState(isTime)
  const [isAway, setAway] = useState(isTime)
  const hold = useCallback(
    (edit: object) => {
      edits.add(edit)
      const release = holdAbove?.(edit)
      return () => {
        edits.delete(edit)
        release?.()
      }
    },
    [edits, holdAbove],
  )
  if (isTime !== wasTime) {
    const hasText = [...boxes].some(({ isConnected, value }) => isConnected && value !== '')
    setWasTime(isTime)
    setAway(isTime && edits.size === 0 && !(hasText && !withText))
  }
  // React hands on what is typed in dialogs, too, which stand elsewhere in the document.
  const note = ({ target }: FormEvent) => {
    if (target instanceof Element && target.matches(draftBoxes)) boxes.add(target as HTMLInputElement)
  }
  if (isAway) return instead
  return (
    <HoldContext value={hold}>
      <div style={contents} onInput={note}>
        {children}
      </div>
    </HoldContext>
  )
}
