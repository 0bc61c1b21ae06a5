import { type RefObject, useLayoutEffect } from 'react'

import { userText } from '../../messages/index.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { singleKeyOf } from '../../ui/single-key.ts'
import classes from './UsersPage.module.css'

export interface SearchBoxProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onEnter: () => void
  readonly onDown: () => void
  readonly box: RefObject<HTMLInputElement | null>
}

/** One box for whatever is known of a user. `/` leads here from anywhere on the page. */
export function SearchBox({ value, onChange, onEnter, onDown, box }: SearchBoxProps) {
  // Before the rows can be seen, so that no key is lost.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || singleKeyOf(event) !== '/') return
      event.preventDefault()
      box.current?.focus()
      box.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [box])

  return (
    <SearchInput
      className={classes.search ?? ''}
      box={box}
      aria-label={userText.search.label}
      aria-keyshortcuts="/"
      placeholder={userText.search.placeholder}
      clearLabel={userText.search.clear}
      value={value}
      onChange={onChange}
      onKeyDown={(event) => {
        // Enter that ends the composition of a character is not meant for the search.
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') onChange('')
        else if (event.key === 'Enter') onEnter()
        else if (event.key === 'ArrowDown') onDown()
        else return
        event.preventDefault()
      }}
      enterKeyHint="search"
      right={
        <kbd className={classes.slash} aria-hidden>
          /
        </kbd>
      }
    />
  )
}
