import { Button, Group, Text } from '@mantine/core'
import { IconPin } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLoaderData, useLocation, useNavigate, useSearchParams } from 'react-router'

import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import type { ExportFrom, UserSource } from '../../domain/user-list/user-pages.ts'
import { userListText, userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ColumnMenu } from './ColumnMenu.tsx'
import { MarkContext, unmarked } from './columns.tsx'
import { AddCondition } from './filters/AddCondition.tsx'
import { type ListPreferences, readListPreferences, storeListPreferences } from './list-preferences.ts'
import { NewUserButton } from './NewUserButton.tsx'
import { NoUsers, OutdatedList } from './NoUsers.tsx'
import type { ListLoad } from './paging.ts'
import { ScanOffer, ScanProgress } from './ScanProgress.tsx'
import type { ListPager } from './use-page.ts'
import { useUserList } from './use-user-list.ts'
import { useSelection } from './selection/use-selection.ts'
import { SelectionBar } from './selection/SelectionBar.tsx'
import { UserTable, type UserTableHandle, type UserTableProps } from './UserTable.tsx'
import classes from './UsersPage.module.css'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { hint } from '../../ui/Hint.tsx'
import pinnedUsersClasses from './PinnedUsers.module.css'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { singleKeyOf } from '../../ui/single-key.ts'

const Conditions = lazyPart(
  async () => (await import('./filters/Conditions.tsx')).Conditions,
  <div className={classes.conditions} />,
)

/** The users of a segment, or all of them; or those that are found among them. */
export function UsersPage() {
  const { missing } = useLoaderData<ListLoad>()
  const [address] = useSearchParams()
  const segment = address.get('segment') ?? ''
  return missing === undefined ? (
    <UserList />
  ) : (
    <>
      <Head segment={segment} source={{ segment }} />
      <OutdatedList missing={missing} segment={segment} />
    </>
  )
}

function UserList() {
  const box = useRef<HTMLInputElement>(null)
  const table = useRef<UserTableHandle>(null)
  const list = useUserList(() => table.current?.focusFirstRow())
  const selection = useSelection(list.rows)
  const [preferences, setPreferences] = useState(readListPreferences)
  const { search, offer, segment, total, show } = list
  const { conditions, q } = list.entry
  const choose = (next: ListPreferences) => {
    storeListPreferences(next)
    setPreferences(next)
  }
  return (
    <>
      <Head segment={list.chosenSegment} source={list.source}>
        <SearchBox
          box={box}
          value={search.text}
          onChange={search.onChange}
          onEnter={search.onEnter}
          onDown={search.onDown}
        />
        {isFull() && <AddCondition onAdd={(condition) => show({ conditions: [...conditions, condition] })} />}
        <div className={classes.total}>
          <span aria-live="polite">
            {offer ? (
              <ScanOffer segment={segment} total={total} onScan={offer.scan} onOpenId={offer.openId} />
            ) : (
              list.count
            )}
          </span>
          <ColumnMenu preferences={preferences} onChange={choose} />
        </div>
      </Head>
      {conditions.length > 0 && (
        <Conditions conditions={conditions} q={q} onChange={(next) => show({ conditions: next })} />
      )}
      {list.state.is === 'scanned' && (
        // A new key for each history entry, segment and text, since each is a scan of its own.
        <ScanProgress key={`${list.listEntry.key} ${segment} ${q}`} listEntry={list.listEntry} />
      )}
      {list.rows.length === 0 ? (
        <Nobody list={list} selection={selection} onClear={() => box.current?.focus()} />
      ) : (
        <Rows
          list={list}
          selection={selection}
          preferences={preferences}
          table={table}
          onUp={() => box.current?.focus()}
        />
      )}
      {list.pager && <Pages pager={list.pager} pending={list.isPending} />}
    </>
  )
}

/** Without pinned users, neither code nor data is loaded. */
function Pinned() {
  const { ids } = usePins()
  return ids.length > 0 && <PinnedUsers ids={ids} />
}

interface HeadProps {
  readonly segment: string
  readonly source: UserSource
  /** Search controls; undefined if there is nothing to search. */
  readonly children?: ReactNode
}

/** Controls above the rows; they stay when there are no rows. */
function Head({ segment, source, children }: HeadProps) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const denied = useDenied('users:write')
  // The export page finds the search by the key of this history entry; its text must not appear in an address.
  const from: ExportFrom = { listEntry: key, isSearch: source.search !== undefined }
  return (
    <>
      <PageHeader
        title={userText.title}
        actions={
          <>
            <Pinned />
            <DisabledReason reason={denied}>
              <Button variant="default" component={Link} to={links.importUsers()}>
                {userText.import}
              </Button>
            </DisabledReason>
            <Button variant="default" component={Link} to={links.exportUsers({ segment })} state={from}>
              {userText.export}
            </Button>
            <NewUserButton />
          </>
        }
      />
      <Group align="flex-start" gap="xs" pb={12}>
        <SegmentPicker
          value={segment}
          onChange={(next) => {
            // The new entry takes over the search of this one.
            if (next !== segment) void navigate(links.users({ segment: next }), { state: { listEntry: key } })
          }}
        />
        {children}
      </Group>
    </>
  )
}

interface NobodyProps extends Pick<UserTableProps, 'selection'> {
  readonly list: ReturnType<typeof useUserList>
  readonly onClear: () => void
}

/** No rows; who was selected before is still. */
function Nobody({ list, selection, onClear }: NobodyProps) {
  return (
    <>
      <NoUsers list={list} />
      {selection.ids.size > 0 && (
        <SelectionBar selection={selection} rows={[]} matching={undefined} onClear={onClear} />
      )}
    </>
  )
}

interface RowsProps extends Pick<UserTableProps, 'preferences' | 'selection' | 'onUp'> {
  readonly list: ReturnType<typeof useUserList>
  readonly table: RefObject<UserTableHandle | null>
}

function Rows({ list, table, ...rest }: RowsProps) {
  const { rows, state, marked, change } = list
  const mark = useCallback((value: string) => <Highlight text={value} query={marked} />, [marked])
  const isFoundById =
    state.is === 'found' && marked !== '' && rows.some(({ id }) => id.startsWith(marked.toLowerCase()))
  return (
    <>
      {state.is === 'found' && state.isSimilar && (
        <Text size="sm" c="dimmed" pb={8}>
          {userText.search.similar(marked)}
        </Text>
      )}
      <MarkContext value={marked === '' ? unmarked : mark}>
        <UserTable
          {...rest}
          ref={table}
          rows={rows}
          // Otherwise nothing in the row would say why it is there.
          alsoColumn={isFoundById ? 'id' : undefined}
          pending={list.isPending}
          takeArrival={list.takeArrival}
          place={list.place}
          matching={list.matching}
          order={list.order}
          onLeave={(row) => change({ left: { row, top: window.scrollY } })}
        />
      </MarkContext>
    </>
  )
}

function Pages({ pager, pending }: { readonly pager: ListPager; readonly pending: boolean }) {
  const { isWayBackUnknown, readNext, ...steps } = pager
  return (
    <div onPointerOver={readNext} onFocus={readNext}>
      {isWayBackUnknown === true && (
        <Text size="sm" c="dimmed" ta="end" pt={12}>
          {userText.openedInside}
        </Text>
      )}
      <Pager {...steps} pending={pending} />
    </div>
  )
}

/** Number of pinned users shown; more do not fit on any screen, and the global search lists all of them. */
const shownPins = 6

/** Pinned users in the line of the title, if it has room, so that the rows below do not move. */
function PinnedUsers({ ids }: { readonly ids: readonly string[] }) {
  // Without bulk lookup each user costs a request, so only the shown ones are read.
  const people = usePeople(isFull() ? ids : ids.slice(0, shownPins))
  if (people.length === 0) return null
  return (
    <div className={pinnedUsersClasses.root}>
      <IconPin size={15} stroke={1.75} aria-hidden />
      <ul className={pinnedUsersClasses.list} aria-label={userListText.pinned}>
        {people.slice(0, shownPins).map((person) => {
          const name = nameOf(person)
          return (
            <li key={person.id}>
              <Button
                component={Link}
                to={links.user(person.id)}
                variant="subtle"
                color="gray"
                px={6}
                leftSection={<Avatar id={person.id} name={name} />}
              >
                <span className={pinnedUsersClasses.name} dir="auto" {...hint(name)}>
                  {name ?? userText.noName}
                </span>
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface SearchBoxProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onEnter: () => void
  readonly onDown: () => void
  readonly box: RefObject<HTMLInputElement | null>
}

/** One box for whatever is known of a user. `/` leads here from anywhere on the page. */
function SearchBox({ value, onChange, onEnter, onDown, box }: SearchBoxProps) {
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
