import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLoaderData, useLocation, useNavigation, useSearchParams } from 'react-router'

import { offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { users as text } from '../../messages/index.ts'
import { rememberList } from '../../domain/user-list/BackToList.tsx'
import { readListPreferences, storeListPreferences } from './list-preferences.ts'
import { ListedUsers } from './ListedUsers.tsx'
import { firstPage, useListEntry } from './list-entry.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import type { ListLoad } from './routes.ts'
import { SearchBox } from './SearchBox.tsx'
import { UsersFrame } from './UsersFrame.tsx'
import { focusFirstRow } from './UserTable.tsx'

// What a search needs beyond the box comes once the box is reached for: one of them, as the service offers it.
const loadFound = () => import('./FoundUsers.tsx')
const FoundUsers = lazy(async () => ({ default: (await loadFound()).FoundUsers }))
const loadScanned = () => import('./ScannedUsers.tsx')
const ScannedUsers = lazy(async () => ({ default: (await loadScanned()).ScannedUsers }))

const OutdatedList = lazy(async () => ({ default: (await import('./OutdatedList.tsx')).OutdatedList }))

const debounceMs = 120
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The users of a segment, or all of them, 50 at a time; or those that a search finds among them. */
export function UsersPage() {
  const { missing } = useLoaderData<ListLoad>()
  const [search] = useSearchParams()
  const segment = search.get('segment') ?? ''
  return missing === undefined ? (
    <UserList segment={segment} offset={search.get('offset') ?? ''} />
  ) : (
    <Suspense>
      <OutdatedList missing={missing} segment={segment} />
    </Suspense>
  )
}

function UserList({ segment, offset }: { readonly segment: string; readonly offset: string }) {
  const location = useLocation()
  const { location: coming } = useNavigation()
  const { data: page } = useSuspenseQuery(usersQuery({ segment, offset }))
  const { entry, change, takeArrival } = useListEntry(segment)
  const [preferences, setPreferences] = useState(readListPreferences)
  const [intent, setIntent] = useState<'open' | 'rows'>()
  // The way back from a user leads here.
  useEffect(() => rememberList(location), [location])

  const isSearchOffered = offers('users.search')
  const typed = entry.text.trim()
  useEffect(() => {
    if (!isSearchOffered || typed === entry.q) return
    const timer = setTimeout(() => change({ q: typed, ...firstPage }), debounceMs)
    return () => clearTimeout(timer)
  }, [isSearchOffered, typed, entry.q, change])

  /** At once, without waiting for more to be typed. */
  const search = (next: typeof intent) => {
    setIntent(next)
    if (typed !== entry.q) change({ q: typed, ...firstPage, isId: !isSearchOffered && uuid.test(typed) })
    else if (!isSearchOffered) focusFirstRow()
  }
  const total = page.total ?? undefined
  const pending = coming?.pathname.endsWith(links.users()) === true
  const table = {
    preferences,
    onLeave: (row: string) => change({ left: { row, top: window.scrollY } }),
  }
  const list = { ...table, page, segment, offset }
  // Until there is something else to show, the list stays as it is.
  const behind = <ListedUsers {...list} pending />
  const Found = isSearchOffered ? FoundUsers : ScannedUsers
  const found = { ...table, entry, change, takeArrival, total, intent, onIntent: setIntent, behind }

  return (
    <UsersFrame
      segment={(pending ? new URLSearchParams(coming.search).get('segment') : segment) ?? ''}
      source={
        isSearchOffered && entry.q !== ''
          ? { search: { q: entry.q, ...(segment && { segment }) } }
          : { segment }
      }
      search={
        <SearchBox
          value={entry.text}
          onChange={(text) => {
            setIntent(undefined)
            change(text.trim() === '' ? { text, q: '', ...firstPage } : { text })
          }}
          onEnter={() => typed !== '' && search('open')}
          onDown={() => (isSearchOffered && typed !== '' ? search('rows') : focusFirstRow())}
          onNear={() => void (isSearchOffered ? loadFound() : loadScanned()).catch(() => undefined)}
        />
      }
      count={
        (isSearchOffered ? entry.q : typed) === '' ? (
          total !== undefined && text.total(total)
        ) : (
          <Suspense>
            <Found {...found} part="count" />
          </Suspense>
        )
      }
      preferences={preferences}
      onPreferences={(next) => {
        storeListPreferences(next)
        setPreferences(next)
      }}
    >
      {entry.q === '' ? (
        <ListedUsers {...list} takeArrival={takeArrival} pending={pending} />
      ) : (
        <Suspense fallback={behind}>
          <Found {...found} part="rows" />
        </Suspense>
      )}
    </UsersFrame>
  )
}
