import { Button, Group, Text } from '@mantine/core'
import { IconPin } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLoaderData, useLocation, useNavigate, useSearchParams } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { hasPage, links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import type { ExportFrom } from '../../domain/user-list/user-pages.ts'
import { userListText, userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { AddCondition } from './filters/AddCondition.tsx'
import { type ListPreferences, readListPreferences, storeListPreferences } from './list-preferences.ts'
import { type ListLoad, NewUserButton, NoUsers, OutdatedList } from './NoUsers.tsx'
import { type ListPager, type UserListView, useUserList } from './use-user-list.ts'
import { SelectionBar, useSelection } from './selection/SelectionBar.tsx'
import { UserTable } from './UserTable.tsx'
import classes from './UsersPage.module.css'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { hint } from '../../ui/Hint.tsx'
import pinnedUsersClasses from './PinnedUsers.module.css'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { singleKeyOf } from '../../ui/keys/shortcut.ts'
import { ColumnMenu } from './ColumnMenu.tsx'

const ListConditions = lazyPart(
  async () => (await import('./filters/ListConditions.tsx')).ListConditions,
  <div className={classes.conditions} />,
)

export function UsersPage() {
  const { missing } = useLoaderData<ListLoad>()
  const [address] = useSearchParams()
  const segment = address.get('segment') ?? ''
  return missing === undefined ? (
    <UserList />
  ) : (
    <>
      <ListHead segment={segment} isSearch={false} />
      <OutdatedList missing={missing} segment={segment} />
    </>
  )
}

function UserList() {
  const box = useRef<HTMLInputElement>(null)
  const view = useUserList()
  const selection = useSelection(view.rows)
  const [preferences, setPreferences] = useState(readListPreferences)
  const { box: search, content, show } = view
  const { conditions, q } = view.list
  const choose = (changed: Partial<ListPreferences>) => {
    const next = { ...preferences, ...changed }
    storeListPreferences(next)
    setPreferences(next)
  }
  return (
    <>
      <ListHead segment={view.chosenSegment} isSearch={view.isSearch}>
        {view.isFull ? (
          <>
            <SearchBox box={box} search={search} />
            <AddCondition onAdd={(condition) => show({ conditions: [...conditions, condition] })} />
          </>
        ) : (
          <p className={classes.noSearch}>{userText.search.none}</p>
        )}
        <div className={classes.total}>
          <span aria-live="polite">{view.count}</span>
          <ColumnMenu isFull={view.isFull} preferences={preferences} onChange={choose} />
        </div>
      </ListHead>
      {conditions.length > 0 && (
        <ListConditions conditions={conditions} q={q} onChange={(next) => show({ conditions: next })} />
      )}
      {view.rows.length === 0 ? (
        <>
          <NoUsers view={view} />
          {/* The selection stays visible even if the list has no rows. */}
          <SelectionBar view={view} selection={selection} onClear={() => box.current?.focus()} />
        </>
      ) : (
        <>
          {content.is === 'found' && content.isSimilar && (
            <Text size="sm" c="dimmed" pb={8}>
              {userText.search.similar({ query: view.marked })}
            </Text>
          )}
          <UserTable
            view={view}
            selection={selection}
            preferences={preferences}
            onUp={() => box.current?.focus()}
          />
        </>
      )}
      {view.pager && <ListPages pager={view.pager} pending={view.isPending} />}
    </>
  )
}

interface ListHeadProps {
  readonly segment: string
  readonly isSearch: boolean
  /** Search controls; undefined if there is nothing to search. */
  readonly children?: ReactNode
}

/** Controls above the rows; they stay if there are no rows. */
function ListHead({ segment, isSearch, children }: ListHeadProps) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const denied = useDenied('users:write')
  // The export page finds the search by the key of this history entry, because the search text must not appear in a
  // URL.
  const from: ExportFrom = { listEntry: key, isSearch }
  return (
    <>
      <PageHeader
        title={userText.title}
        actions={
          <>
            <PinnedUsers />
            {hasPage('importUsers') && (
              <DisabledReason reason={denied}>
                <Button variant="default" component={Link} to={links.importUsers()}>
                  {userText.import}
                </Button>
              </DisabledReason>
            )}
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

function ListPages({ pager, pending }: { readonly pager: ListPager; readonly pending: boolean }) {
  const { isWayBackUnknown, prefetchNext, ...steps } = pager
  return (
    <div onPointerOver={prefetchNext} onFocus={prefetchNext}>
      {isWayBackUnknown === true && (
        <Text size="sm" c="dimmed" ta="end" pt={12}>
          {userText.openedInside}
        </Text>
      )}
      <Pager {...steps} pending={pending} />
    </div>
  )
}

/** Number of pinned users shown. More do not fit on any screen, and the global search lists all of them. */
const shownPins = 6

/** Pinned users, placed beside the title where there is room, so that the rows below do not move. */
function PinnedUsers() {
  const { ids } = usePins()
  const people = usePeople(ids.slice(0, shownPins))
  if (people.length === 0) return null
  return (
    <div className={pinnedUsersClasses.root}>
      <IconPin size={15} stroke={1.75} aria-hidden />
      <ul className={pinnedUsersClasses.list} aria-label={userListText.pinned}>
        {people.map((person) => {
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
  readonly search: UserListView['box']
  readonly box: RefObject<HTMLInputElement | null>
}

/** Search box for names, e-mails, refs, ids and values. `/` focuses it from anywhere on the page. */
function SearchBox({ search: { text, onChange, onEnter, onDown }, box }: SearchBoxProps) {
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
