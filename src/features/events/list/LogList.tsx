/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- rows are laid out
   as grids, and browsers then drop a table's own semantics: the roles keep them */
import { Button } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, use, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

import { eventLogText } from '../../../messages/index.ts'
import { followRowLink } from '../../../ui/DataTable.tsx'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import { rowPx, usePlace, useReread, useStandStill, useWidth } from './list-hooks.ts'
import { type EventLog, type LogState, mostEvents } from '../log/log.ts'
import classes from './LogList.module.css'
import { LogRow, zoneName } from './LogRow.tsx'
import { useRowKeys } from './use-row-keys.ts'

const overscan = 12
/** Older events are asked for when the last of the loaded ones are so near. */
const aheadRows = 40

export interface LogListProps {
  readonly log: EventLog
  readonly state: LogState
  readonly openId: string | undefined
  /** What stands under the last row. */
  readonly foot: ReactNode
}

/**
 * The rows of a log, of which only those on screen are in the document. What comes in above moves nothing that is being
 * read: only while nobody reads, and the list is at its top, do new rows push the others down.
 */
export function LogList({ log, state, openId, foot }: LogListProps) {
  const { rows, arrived, startIndex, hasOlder, hasNewer, older, newer, tail, events } = state
  const scroller = useRef<HTMLDivElement>(null)
  const { search } = useLocation()
  const { shown } = use(ZonesContext)
  const { currentIndex, onKeyDown, onFocus } = useRowKeys({ rows, openId, scroller })
  const [width, setWidth] = useState<keyof typeof rowPx>('wide')
  const rowHeight = rowPx[width]
  const initialOffset = usePlace(log, startIndex, scroller)
  // oxlint-disable-next-line react/incompatible-library -- nothing is memoized by a compiler here
  const virtualizer = useVirtualizer({
    initialOffset,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    useFlushSync: false,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const indexes = defaultRangeExtractor(range)
        // The row that the focus is on, or will come back to, stays in the document.
        return indexes.includes(currentIndex) || currentIndex >= range.count
          ? indexes
          : [...indexes, currentIndex].toSorted((a, b) => a - b)
      },
      [currentIndex],
    ),
  })
  const items = virtualizer.getVirtualItems()
  const isAtTop = (virtualizer.scrollOffset ?? 0) < rowHeight

  useWidth(scroller, setWidth)
  const heightBefore = useRef<number>(rowPx.wide)
  useLayoutEffect(() => {
    const ratio = rowHeight / heightBefore.current
    heightBefore.current = rowHeight
    virtualizer.measure()
    // The same row stays at the top.
    if (ratio !== 1) scroller.current?.scrollTo({ top: scroller.current.scrollTop * ratio })
  }, [virtualizer, rowHeight])
  useStandStill({
    arrived,
    isFollowing: tail === 'live' && openId === undefined,
    scroller,
    rowHeight,
  })

  const [seen, setSeen] = useState(arrived)
  const above = arrived - seen
  useEffect(() => {
    // Where it is now: rows that came in may just have been made up for.
    if ((scroller.current?.scrollTop ?? 0) < rowHeight) setSeen(arrived)
  }, [arrived, isAtTop, rowHeight])

  const { startIndex: first = -1, endIndex: last = -1 } = virtualizer.range ?? {}
  useEffect(() => {
    // Before it is known what is on screen, nothing is near.
    if (last === -1) return
    if (last >= rows.length - aheadRows && hasOlder && older === 'idle' && !log.isSearch)
      if (events.length < mostEvents) void log.readOlder()
    if (first < aheadRows / 2 && hasNewer && newer === 'idle') void log.readNewer()
  }, [log, first, last, rows.length, events.length, hasOlder, older, hasNewer, newer])
  useReread(log, first, last)

  return (
    <div className={classes.root} data-width={width}>
      {above > 0 && tail !== 'off' && (
        <Button
          size="xs"
          className={classes.above ?? ''}
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
        >
          <span aria-live="polite">{eventLogText.above(above)}</span>
        </Button>
      )}
      <div ref={scroller} className={classes.scroller}>
        <table
          role="table"
          aria-label={eventLogText.title}
          aria-rowcount={rows.length + 1}
          className={classes.table}
        >
          <thead role="rowgroup" className={classes.head}>
            <tr role="row" aria-rowindex={1}>
              {[
                eventLogText.columns.time(zoneName(shown)),
                eventLogText.columns.type,
                eventLogText.columns.subject,
              ].map((name) => (
                <th key={name} role="columnheader" scope="col">
                  {name}
                </th>
              ))}
              <th role="columnheader" scope="col">
                {eventLogText.columns.delivered}
              </th>
            </tr>
          </thead>
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a wider target for the pointer, and the arrow keys of the links inside; the links are what is used */}
          <tbody
            role="rowgroup"
            className={classes.body}
            style={{ height: virtualizer.getTotalSize() }}
            onClick={followRowLink}
            onKeyDown={onKeyDown}
            onFocus={onFocus}
          >
            {items.map(({ index, start }) => {
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
                    isMoment={startIndex > 0 && index === startIndex + arrived}
                    replaces={openId !== undefined}
                    search={search}
                  />
                )
              )
            })}
          </tbody>
        </table>
        {foot}
      </div>
    </div>
  )
}
