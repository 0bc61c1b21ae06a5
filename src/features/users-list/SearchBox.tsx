import { Text } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

import { links } from '../../domain/links.ts'
import { placeState } from '../../domain/user-list/list-state.ts'
import type { ListStore } from '../../domain/user-list/use-list-state.ts'
import { userText } from '../../messages/index.ts'
import { singleKeyOf } from '../../ui/keys/shortcut.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import type { UserRows } from './use-user-rows.ts'
import classes from './UsersPage.module.css'

const searchDelayMs = 120

interface SearchBoxProps {
  readonly box: RefObject<HTMLInputElement | null>
  readonly state: ListStore
  readonly found: UserRows
}

/**
 * Search box for names, e-mails, refs, ids and values. `/` focuses it from anywhere on the page. The service is queried
 * after a debounce, or at once on Enter.
 */
export function SearchBox({ box, state: { list, dispatch }, found: { query, place } }: SearchBoxProps) {
  const navigate = useNavigate()
  /** Action of a key pressed before the results arrived: open the first row, or focus the rows. */
  const intent = useRef<'open' | 'rows'>(undefined)
  const { text, q: searched } = list
  const typed = text.trim()
  useEffect(() => {
    if (typed === searched) return undefined
    const timer = setTimeout(() => dispatch({ is: 'search', q: typed }), searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed, searched, dispatch])

  const { data, error, refetch, isFetching, isPlaceholderData } = query
  const isHere = typed === searched && !isPlaceholderData && !isFetching
  const act = (next: 'open' | 'rows', isSeen: boolean) => {
    const [first, ...others] = data?.users ?? []
    // A user with a merely similar name may be somebody else, so Enter opens them only if nobody else is on the screen.
    const hit = data?.similar === true && (!isSeen || others.length > 0) ? undefined : first
    if (error) void refetch()
    else if (next === 'open' && hit) {
      dispatch({ is: 'leave', row: hit.id, top: window.scrollY })
      void navigate(links.user(hit.id), { state: placeState(place) })
    } else focusRows()
  }
  useEffect(() => {
    const { current } = intent
    if (current === undefined || !isHere) return
    intent.current = undefined
    act(current, false)
  })

  /** Searches at once, without the debounce. */
  const search = (next: 'open' | 'rows') => {
    if (isHere) return act(next, true)
    intent.current = next
    if (typed !== searched) dispatch({ is: 'search', q: typed })
  }
  const onChange = (next: string) => {
    intent.current = undefined
    dispatch({ is: 'type', text: next })
  }
  useSlash(box)

  return (
    <SearchInput
      className={classes.search ?? ''}
      box={box}
      aria-label={userText.search.label}
      aria-keyshortcuts="/"
      placeholder={userText.search.placeholder}
      clearLabel={userText.search.clear}
      value={text}
      onChange={onChange}
      onKeyDown={(event) => {
        // Enter that ends the composition of a character does not submit the search.
        if (event.nativeEvent.isComposing) return
        const { key } = event
        if (key !== 'Escape' && key !== 'Enter' && key !== 'ArrowDown') return
        event.preventDefault()
        if (key === 'Escape') onChange('')
        else if (typed !== '') search(key === 'Enter' ? 'open' : 'rows')
        else if (key === 'ArrowDown') focusRows()
      }}
      enterKeyHint="search"
      right={
        <Text component="kbd" inherit c="dimmed" aria-hidden>
          /
        </Text>
      }
    />
  )
}

const focusRows = () => document.querySelector<HTMLElement>('a[data-row-link]')?.focus()

function useSlash(box: SearchBoxProps['box']) {
  // A layout effect listens before the page is painted, so that no key is lost.
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
}
