import { IconSearch, IconX } from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'

import { users as text } from '../../messages/index.ts'
import control from '../../ui/Control.module.css'
import { searchBoxId } from './UserTable.tsx'
import classes from './UsersPage.module.css'
import { IconButton } from '../../ui/IconButton.tsx'

export interface SearchBoxProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onEnter: () => void
  readonly onDown: () => void
  /** What comes with the results is fetched ahead. */
  readonly onNear: () => void
}

/** One box for whatever is known of a user. `/` leads here from anywhere on the page. */
export function SearchBox({ value, onChange, onEnter, onDown, onNear }: SearchBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  // Before the rows can be seen, so that no key is lost.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented, altKey, ctrlKey, metaKey } = event
      if (key !== '/' || defaultPrevented || altKey || ctrlKey || metaKey) return
      const isTyping =
        target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
      if (isTyping || document.querySelector('dialog[open], [role="dialog"]')) return
      event.preventDefault()
      box.current?.focus()
      box.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a click beside the text is meant for it
    <div className={`${control.control} ${classes.search}`} onClick={() => box.current?.focus()}>
      <IconSearch size={15} aria-hidden />
      <input
        className={control.text}
        ref={box}
        id={searchBoxId}
        type="search"
        aria-label={text.search.label}
        aria-keyshortcuts="/"
        placeholder={text.search.placeholder}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onFocus={onNear}
        onPointerEnter={onNear}
        onKeyDown={(event) => {
          // Enter that ends the composition of a character is not meant for the search.
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') onChange('')
          else if (event.key === 'Enter') onEnter()
          else if (event.key === 'ArrowDown') onDown()
          else return
          event.preventDefault()
        }}
        // The longest text that a service searches for.
        maxLength={200}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
      />
      {value === '' ? (
        <kbd className={classes.slash} aria-hidden>
          /
        </kbd>
      ) : (
        <IconButton
          size="small"
          aria-label={text.search.clear}
          onClick={() => {
            onChange('')
            box.current?.focus()
          }}
        >
          <IconX size={15} />
        </IconButton>
      )}
    </div>
  )
}
