import { useDebouncedCallback } from '@mantine/hooks'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router'

import type { Event } from '#contract/index.ts'
import { links } from '../../../domain/links.ts'

/** Debounce delay after which a row reached by arrow key is opened, so that a held key skips rows. */
const openDelayMs = 120

export interface RowKeys {
  readonly rows: readonly Event[]
  readonly rowHeight: number
  readonly openId: string | undefined
  readonly scroller: RefObject<HTMLElement | null>
}

/**
 * Keyboard navigation of the rows: up and down (also k and j), by page, to the first and the last. If an event is open
 * beside the list, the newly focused one replaces it. Enter opens, Escape closes.
 */
export function useRowKeys({ rows, rowHeight, openId, scroller }: RowKeys) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [focusedId, setFocusedId] = useState<string>()
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
  const open = useDebouncedCallback((id: string) => {
    const to = { pathname: links.event(id), search }
    void navigate(to, { replace: true, preventScrollReset: true, state: { keepsFocus: true } })
  }, openDelayMs)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape' && openId !== undefined) {
      open.cancel()
      void navigate({ pathname: links.events(), search }, { preventScrollReset: true })
      return
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
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
    // The current row is always in the document, however far away it is.
    flushSync(() => setFocusedId(next.id))
    const row = scroller.current?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(next.id)}"]`)
    row?.querySelector<HTMLElement>('a[data-row-link]')?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
    if (openId !== undefined) open(next.id)
  }

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.closest<HTMLElement>('tr[data-id]')?.dataset['id']
    if (id !== undefined) setFocusedId(id)
  }
  return { currentIndex, onKeyDown, onFocus }
}
