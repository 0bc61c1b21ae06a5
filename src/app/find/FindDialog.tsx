import { IconSearch, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'

import { offers } from '../../api/index.ts'
import type { Visit } from '../../domain/people/recent.ts'
import { findText } from '../../messages/index.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { noAutofill } from '../../ui/keys/no-autofill.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFocusBack, useOverlay } from '../../ui/overlay-hooks.ts'
import { SkeletonBar, skeletonWidth } from '../../ui/skeletons/SkeletonRows.tsx'
import type { ZoneChoice } from '../../ui/time.ts'
import { isComposing } from '../../ui/use-pointed.ts'
import type { FindKeys, FoundState } from './FindResults.tsx'
import classes from './FindDialog.module.css'

export const FindResults = lazyPart(
  async () => (await import('./FindResults.tsx')).FindResults,
  <div className={classes.waiting} aria-hidden>
    {Array.from({ length: 6 }, (_, row) => (
      <div key={row}>
        <SkeletonBar width={skeletonWidth(row, 0)} />
      </div>
    ))}
  </div>,
)

const nothingFound: FoundState = { activeId: undefined, isExpanded: false }

interface FindDialogProps extends ZoneChoice {
  /** Recently opened things, the latest first. */
  readonly recent: readonly Visit[]
  readonly onClose: () => void
}

/**
 * Dialog that finds a user, a segment, an event, a page or an action by the typed text, which no URL contains. Its field
 * is part of the frame and takes the keys from the press on; the code of the results comes later. The browser's own
 * dialog keeps Mantine's, which is large, out of the first page.
 */
export function FindDialog({ recent, onClose, ...commanded }: FindDialogProps) {
  useFocusBack()
  useOverlay()
  const listId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const keys = useRef<FindKeys>(null)
  const isFullService = offers('searchUsers')
  const [typed, setTyped] = useState('')
  const [{ activeId, isExpanded }, setFound] = useState(nothingFound)
  /** Whether Enter was pressed for the current text before the results' code was there. */
  const [isEntered, setEntered] = useState(false)
  useLayoutEffect(() => {
    dialog.current?.showModal()
    field.current?.focus({ preventScroll: true })
  }, [])

  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (keys.current) return keys.current.press(event)
    if (event.key === 'Enter') setEntered(typed.trim() !== '')
  }
  // The dialog has no visible title: its field stands in that place.
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape does the same
    <dialog
      ref={dialog}
      aria-modal
      aria-label={findText.title}
      className={classes.dialog}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Its parts cover the whole dialog, so that a press on itself is one beside it.
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return
        // The press itself would take the focus that goes back.
        event.preventDefault()
        onClose()
      }}
    >
      <div className={classes.head}>
        <IconSearch size={18} stroke={1.75} className={classes.sign} aria-hidden />
        <input
          ref={field}
          className={classes.input}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <datalist> holds no links and no second lines
          role="combobox"
          aria-label={findText.title}
          aria-expanded={isExpanded}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder={isFullService ? findText.placeholder : findText.placeholderBare}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setEntered(false)
            keys.current?.forget()
          }}
          onKeyDown={press}
          // The service searches for at most 200 characters.
          maxLength={200}
          {...noAutofill}
          enterKeyHint="go"
        />
        <IconButton aria-label={findText.close} onClick={onClose}>
          <IconX size={16} />
        </IconButton>
      </div>
      <FindResults
        {...{ listId, typed, recent, commanded, keys, isEntered, isFullService, onClose }}
        onFound={setFound}
      />
    </dialog>
  )
}
