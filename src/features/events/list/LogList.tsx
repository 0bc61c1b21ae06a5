/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- rows are laid out
   as grids, and browsers then drop a table's own semantics: the roles keep them */
import { Button, Group } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router'

import type { Event } from '#contract/index.ts'
import { links } from '../../../domain/links.ts'
import { zoneName } from '../../../domain/log-page/moments.ts'
import { eventLogText } from '../../../messages/index.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { followRowLink, rowsClass } from '../../../ui/DataTable.tsx'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { LogView } from '../log/use-event-log.ts'
import { mostAnnounced } from '../log/use-new-events.ts'
import {
  rowPx,
  useFocusOnNewList,
  useFreshVisit,
  useLoadMore,
  useScrollPosition,
  useSteadyRows,
  useWidth,
} from './list-hooks.ts'
import { LogRow } from './LogRow.tsx'
import classes from './LogList.module.css'

interface LogListProps extends LogView {
  readonly openId: string | undefined
  readonly foot: ReactNode
}

/** Virtualised rows of the log. New events are announced above them and move none. */
export function LogList(props: LogListProps) {
  const { isFull, rows, query, filter, openId, foot } = props
  const { data } = query
  const scroller = useRef<HTMLDivElement>(null)
  const { search } = useLocation()
  const width = useWidth(scroller)
  const rowHeight = rowPx[width]
  const { currentIndex, onKeyDown, onFocus } = useRowKeys({ rows, rowHeight, openId, scroller })
  const { initialOffset, isReturn } = useScrollPosition(props, rowHeight, scroller)
  // oxlint-disable-next-line react/incompatible-library -- nothing is memoized by a compiler here
  const virtualizer = useVirtualizer({
    initialOffset,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    useFlushSync: false,
    rangeExtractor: useRangeWith(currentIndex),
  })
  useSteadyRows(props, virtualizer, rowHeight, scroller)
  useLoadMore(props, virtualizer.range)
  useFreshVisit(props, isReturn, scroller)
  useFocusOnNewList(scroller)
  const pages = useMemo(() => data?.pages.flatMap(({ events }) => events.map(() => events)), [data])

  return (
    <div
      className={classes.root}
      data-width={width}
      style={{ '--row-height': `${rowHeight}px` } as CSSProperties}
    >
      <RowsAbove {...props} scroller={scroller} isAtTop={(virtualizer.scrollOffset ?? 0) < rowHeight} />
      <div ref={scroller} tabIndex={-1} className={classes.scroller}>
        <table
          role="table"
          aria-label={eventLogText.title}
          aria-rowcount={rows.length + 1}
          className={rowsClass}
        >
          <LogHead />
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a wider target for the pointer, and the arrow keys of the links inside; the links are what is used */}
          <tbody
            role="rowgroup"
            className={classes.body}
            style={{ height: virtualizer.getTotalSize() }}
            onClick={followRowLink}
            onKeyDown={onKeyDown}
            onFocus={onFocus}
          >
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const event = rows[index]
              return (
                event && (
                  <LogRow
                    key={event.id}
                    event={event}
                    index={index}
                    top={start}
                    isOpen={event.id === openId}
                    isCurrent={index === currentIndex}
                    replaces={openId !== undefined}
                    search={search}
                    filter={isFull ? filter : undefined}
                    page={isFull ? pages?.[index] : undefined}
                  />
                )
              )
            })}
          </tbody>
        </table>
        <Group justify="center" gap="8px 16px" p="16px 8px" fz="sm" c="dimmed">
          {foot}
        </Group>
      </div>
    </div>
  )
}

interface RowsAboveProps extends LogView {
  readonly scroller: RefObject<HTMLElement | null>
  readonly isAtTop: boolean
}

/** Button that leads to the events above the list: to new ones, or to those after the moment that it begins at. */
function RowsAbove({ query, news: { count }, showNewest, scroller, isAtTop }: RowsAboveProps) {
  const { hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage } = query
  const showNews = () => {
    // The pressed button goes away.
    scroller.current?.focus({ preventScroll: true })
    void showNewest()
  }
  const showNewer = async () => {
    scroller.current?.focus({ preventScroll: true })
    const { isFetchPreviousPageError } = await fetchPreviousPage()
    if (isFetchPreviousPageError) showToast({ tone: 'failure', message: eventLogText.newerFailed })
  }
  const offersNewer = hasPreviousPage && isAtTop
  return (
    <Announced as="div" className={classes.above}>
      {(count > 0 || offersNewer) && (
        <Button
          size="xs"
          loading={isFetchingPreviousPage}
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => (offersNewer ? void showNewer() : showNews())}
        >
          {offersNewer
            ? eventLogText.newer
            : eventLogText[count >= mostAnnounced ? 'manyNews' : 'news']({ count })}
        </Button>
      )}
    </Announced>
  )
}

function LogHead() {
  const { shown } = use(ZonesContext)
  const { time, type, subject, by, delivered } = eventLogText.columns
  return (
    <thead role="rowgroup" className={classes.head}>
      <tr role="row" aria-rowindex={1}>
        {[time({ zone: zoneName(shown) }), type, subject, by, delivered].map((name) => (
          <th key={name} role="columnheader" scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Keeps the row at an index in the document: it has the focus, or will get it back. */
function useRangeWith(kept: number) {
  return useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      return indexes.includes(kept) || kept >= range.count
        ? indexes
        : [...indexes, kept].toSorted((a, b) => a - b)
    },
    [kept],
  )
}

/** Debounce delay after which a row reached by arrow key is opened, so that a held key skips rows. */
const openDelayMs = 120

interface RowKeys {
  readonly rows: readonly Event[]
  readonly rowHeight: number
  readonly openId: string | undefined
  readonly scroller: RefObject<HTMLElement | null>
}

/**
 * Keyboard navigation of the rows: up and down (also k and j), by page, to the first and the last. If an event is open
 * beside the list, the newly focused one replaces it. Enter opens, Escape closes.
 */
function useRowKeys({ rows, rowHeight, openId, scroller }: RowKeys) {
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
