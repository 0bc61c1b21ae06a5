import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router'

import type { Event } from '#contract/index.ts'
import { links } from '../../../domain/links.ts'

/** Debounce delay after which a row reached by arrow key is opened, so that a held key skips rows. */
const openDelayMs = 120

export interface RowKeys {
  readonly rows: readonly Event[]
  readonly openId: string | undefined
  readonly scroller: RefObject<HTMLElement | null>
}

/**
 * Keyboard navigation of the rows: up and down (also k and j), by page, to the first and the last. If an event is open
 * beside the list, the newly focused one replaces it. Enter opens, Escape closes.
 */
export function useRowKeys({ rows, openId, scroller }: RowKeys) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [focusedId, setFocusedId] = useState<string>()
  const wanted = useRef<string>(undefined)
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const currentId = focusedId ?? openId
  const currentIndex = useMemo(
    () => Math.max(0, currentId === undefined ? 0 : rows.findIndex(({ id }) => id === currentId)),
    [rows, currentId],
  )
  // If an event was opened from outside the list, its row becomes the tab stop.
  const lastOpen = useRef(openId)
  useEffect(() => {
    const isInList = scroller.current?.contains(document.activeElement) === true
    if (lastOpen.current !== openId && openId !== undefined && !isInList) setFocusedId(openId)
    lastOpen.current = openId
  }, [openId, scroller])

  useLayoutEffect(() => {
    if (wanted.current === undefined || wanted.current !== focusedId) return
    const row = scroller.current?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(focusedId)}"]`)
    if (!row || !scroller.current) return
    wanted.current = undefined
    row.querySelector<HTMLElement>('a[data-row-link]')?.focus({ preventScroll: true })
    scrollIntoView(row, scroller.current)
  })
  useEffect(() => () => clearTimeout(opening.current), [])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape' && openId !== undefined) {
      clearTimeout(opening.current)
      void navigate({ pathname: links.events(), search }, { preventScrollReset: true })
      return
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightOf(event)) - 2)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    }
    const step = steps[event.key]
    if (step === undefined || event.shiftKey) return
    event.preventDefault()
    const next = rows[Math.min(rows.length - 1, Math.max(0, currentIndex + step))]
    if (!next || next.id === currentId) return
    wanted.current = next.id
    setFocusedId(next.id)
    if (openId === undefined) return
    clearTimeout(opening.current)
    opening.current = setTimeout(() => {
      const to = { pathname: links.event(next.id), search }
      void navigate(to, { replace: true, preventScrollReset: true, state: { keepsFocus: true } })
    }, openDelayMs)
  }

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.closest<HTMLElement>('tr[data-id]')?.dataset['id']
    if (id !== undefined) setFocusedId(id)
  }
  return { currentIndex, onKeyDown, onFocus }
}

function rowHeightOf({ currentTarget }: KeyboardEvent<HTMLElement>): number {
  return currentTarget.querySelector('tr')?.offsetHeight || 36
}

/** Scrolls only as far as needed to show the row below the column header. */
function scrollIntoView(row: HTMLElement, scroller: HTMLElement) {
  const { top, bottom, height } = row.getBoundingClientRect()
  const frame = scroller.getBoundingClientRect()
  const above = frame.top + height - top
  if (above > 0) scroller.scrollTop -= above
  else if (bottom > frame.bottom) scroller.scrollTop += bottom - frame.bottom
}
