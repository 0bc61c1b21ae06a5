import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import type { User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { hasPage } from '../../domain/links.ts'
import { columnsQuery } from '../../domain/queries/users.ts'
import type { UserSort } from '../../domain/user-list/list-state.ts'
import type { Selection } from '../../domain/user-list/selection.ts'
import type { ListStore } from '../../domain/user-list/use-list-state.ts'
import { userListText, userText } from '../../messages/index.ts'
import { DataTable, type Order } from '../../ui/DataTable.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import {
  type ColumnName,
  columnsOf,
  type ListPreferences,
  readListPreferences,
  RowContext,
} from './columns.tsx'
import { SelectBox, SelectionBar } from './Selection.tsx'
import type { UserRows } from './use-user-rows.ts'
import { UserCard } from './UserCard.tsx'
import classes from './UsersPage.module.css'

const rowsPerScreen = 10

interface UserTableProps {
  readonly state: ListStore
  readonly found: UserRows
  readonly preferences: ListPreferences
  readonly selection: Selection
  /** Called on Escape, and on the up arrow in the first row. */
  readonly onUp: () => void
}

export function UserTable({ state, found, preferences, selection, onUp }: UserTableProps) {
  const { rows } = found
  const isSelecting = selection.ids.size > 0
  const root = useRef<HTMLDivElement>(null)
  const [tabStop, setTabStop] = useState<string>()
  const stop = rows.find(({ id }) => id === tabStop) ?? rows[0]

  useRestoredRow(root, rows, state.takeArrival)
  const rowOf = (target: EventTarget) => rows[rowLinks(root.current).findIndex((link) => link === target)]?.id
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the events that bubble up from the links inside
    <div
      ref={root}
      className={classes.table}
      data-density={preferences.density}
      data-selecting={isSelecting || undefined}
      onFocus={({ target }) => setTabStop(rowOf(target) ?? tabStop)}
      onKeyDown={(event) => pressInRow(event, { links: rowLinks(root.current), rows, selection, onUp })}
      onClickCapture={({ target }) => {
        const row = target instanceof Element && rowOf(target.closest('a') ?? target)
        if (typeof row === 'string') state.dispatch({ is: 'leave', row, top: window.scrollY })
      }}
    >
      <Rows {...{ state, found, preferences, selection }} tabStop={stop?.id} />
      {/* No preview while users are selected: the card would cover the checkboxes and the selection bar. */}
      {!isSelecting && <UserCard rows={rows} table={root} />}
      <SelectionBar
        {...{ state, found, selection }}
        onClear={() => rowLinks(root.current)[rows.findIndex((row) => row === stop)]?.focus()}
      />
      <Text id={keysId} className={classes.keys ?? ''} size="xs" c="dimmed" pt={12}>
        {state.isFull ? userText.search.keys : userText.search.keysWithoutSearch}
      </Text>
    </div>
  )
}

interface RowsProps extends Omit<UserTableProps, 'onUp'> {
  /** Id of the user whose row Tab stops at. */
  readonly tabStop: string | undefined
}

/** Renders the users in their columns. The rows never wait for the values of property columns. */
function Rows({ state, found, preferences, selection, tabStop }: RowsProps) {
  const { rows, answer, place, isPending } = found
  const { isFull, list, dispatch } = state
  const denied = useDenied('entities:read')
  const names = isFull && denied === undefined ? preferences.properties : []
  const ids = rows.map(({ id }) => id)
  const query = useQuery(columnsQuery(ids, names))
  const { data, error } = query
  const isUnread = error !== null && !data
  const q = answer?.q ?? ''
  const isFoundById = q !== '' && ids.some((id) => id.startsWith(q.toLowerCase()))
  // The match of a user found by id would otherwise be invisible.
  const own: readonly ColumnName[] = isFoundById ? [...preferences.columns, 'id'] : preferences.columns
  const table = (
    <DataTable
      label={userText.table}
      describedBy={keysId}
      columns={columnsOf(own, names, data)}
      rows={rows}
      rowKey={(user) => user.id}
      order={
        // Search results are ordered by relevance.
        isFull && q === ''
          ? orderBy(list.sort, (sort) => dispatch({ is: 'show', view: { sort } }))
          : undefined
      }
      pending={isPending}
      empty={null}
    />
  )
  const values = isUnread ? null : data
  return (
    <RowContext value={{ tabStop, place, query: q, select: boxesOf(selection), values }}>
      {isUnread && (
        <QueryFailure
          title={userListText.columns.unread.title}
          own={{ kept: userListText.columns.unread.kept }}
          query={query}
        />
      )}
      {names.length === 0 ? (
        table
      ) : (
        <div
          className={classes.wide}
          data-many={names.length > fewColumns || undefined}
          style={{ '--least-width': `${leastWidthPx(names.length)}px` } as CSSProperties}
        >
          {table}
        </div>
      )}
    </RowContext>
  )
}

/**
 * Cycles the order of a column: the first press sorts by it, the second reverses it, the third restores the service's
 * order.
 */
function orderBy(sort: UserSort | undefined, onChange: (sort: UserSort | undefined) => void): Order {
  const isDescending = sort?.startsWith('-') === true
  const by = isDescending ? sort.slice(1) : sort
  return {
    by,
    isDescending,
    onSort: (column) => {
      const next = column !== by ? column : isDescending ? undefined : `-${column}`
      onChange(next as UserSort | undefined)
    },
  }
}

/** Number of property columns that fit on a wide screen; with more, the table scrolls sideways. */
const fewColumns = 4

/** Width at which each property column has 112 pixels: the user's own take 41 % and 252 (`narrowWidths`). */
const leastWidthPx = (count: number) => Math.round((252 + count * 112) / 0.59)

/** Whether there is something to do with a selection. */
const areSelectable = () => hasPage('exportUsers')

const boxesOf = (selection: Selection) => (user: User) =>
  areSelectable() && <SelectBox user={user} selection={selection} />

interface RowKeyContext extends Pick<UserTableProps, 'selection' | 'onUp'> {
  readonly rows: readonly User[]
  readonly links: readonly HTMLAnchorElement[]
}

/** Handles a key in a row; with Shift, keys that move the focus select the rows passed. */
function pressInRow(event: KeyboardEvent, { links, rows, selection, onUp }: RowKeyContext) {
  const { key, target } = event
  const selects = event.shiftKey && areSelectable()
  if (isAllKey(event) && areSelectable() && (target as Element).closest('td')) {
    event.preventDefault()
    return selection.add(rows.map(({ id }) => id))
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const at = links.findIndex((link) => link.closest('tr') === (target as Element).closest('tr'))
  const to = rowAfter(key, at, links.length - 1)
  // Space on a row's checkbox toggles the checkbox as usual.
  if (at === -1 || to === undefined || (key === ' ' && target !== links[at])) return
  event.preventDefault()
  const row = rows[at]?.id
  if (to === -1) return onUp()
  // Space alone opens the preview, which handles the key itself.
  if (key === ' ' && row !== undefined) {
    if (selects) selection.toggle(row, false)
  } else if (selects && links[to])
    selection.add(rows.slice(Math.min(at, to), Math.max(at, to) + 1).map(({ id }) => id))
  links[to]?.focus()
}

/** Whether Ctrl+A or ⌘A was pressed, which selects all rows if the focus is in one: on its link or its checkbox. */
const isAllKey = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'a' && ctrlKey !== metaKey && !altKey && !shiftKey

const keysId = 'users-keys'

/** Returns the index of the row that a key moves to: -1 to leave the rows, undefined for any other key. */
function rowAfter(key: string, at: number, last: number): number | undefined {
  return {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: last,
    PageDown: Math.min(at + rowsPerScreen, last),
    PageUp: Math.max(at - rowsPerScreen, 0),
    Escape: -1,
    // Space stays on its row: it opens the preview and must not scroll.
    ' ': at,
  }[key]
}

/** Restores the scroll position of the list, and focuses the row that the person left it from. */
function useRestoredRow(
  root: RefObject<HTMLElement | null>,
  rows: readonly User[],
  takeArrival: ListStore['takeArrival'],
) {
  useLayoutEffect(() => {
    const { left, isByLink } = takeArrival() ?? {}
    // The browser restores scrolling on Back and Forward, but not for an entry reached by a link.
    if (isByLink === true) window.scrollTo(0, left?.top ?? 0)
    const link = rowLinks(root.current)[rows.findIndex(({ id }) => id === left?.row)]
    const focused = document.activeElement
    const isFree = focused === null || focused === document.body || focused.matches('#main h1')
    if (!link || !isFree) return
    // The shell moves the focus after a navigation unless the page has set it.
    link.dataset.restored = ''
    link.focus({ preventScroll: true })
  }, [root, takeArrival, rows])
}

function rowLinks(root: HTMLElement | null): readonly HTMLAnchorElement[] {
  return Array.from(root?.querySelectorAll<HTMLAnchorElement>('a[data-row-link]') ?? [])
}

export function UsersSkeleton() {
  const { columns, properties, density } = readListPreferences()
  return (
    <>
      <PageHeader title={userText.title} />
      <Group gap="xs" pb={12}>
        <SkeletonBar width="280px" height="var(--ds-control-height)" />
        <SkeletonBar width="320px" height="var(--ds-control-height)" />
      </Group>
      <div className={classes.table} data-density={density}>
        <DataTable
          label={userText.table}
          columns={columnsOf(columns, properties, undefined)}
          rows={undefined}
          rowKey={(user) => user.id}
          empty={null}
          skeletonRows={20}
        />
      </div>
    </>
  )
}
