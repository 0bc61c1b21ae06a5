import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { usePerson } from '../../auth/use-session.ts'
import { listStepsText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { singleKeyOf } from '../../ui/keys/shortcut.ts'
import { links } from '../links.ts'
import { nameOf } from '../people/user-fields.ts'
import { type UsersQuery, type UsersPage, usersQuery } from '../queries/users.ts'
import { readPlaceQuery, type ListPlace, placeState, recallPlace, rememberPlace } from './list-state.ts'
import { locatePage } from './paging.ts'
import classes from './ListSteps.module.css'

/** Buttons for the previous and next user of the list that this page was opened from: "‹ 12 of 8,031 ›". */
export function ListSteps({ userId }: { readonly userId: string }) {
  const client = useQueryClient()
  const { state } = useLocation()
  const { subject } = usePerson()
  const { place = recallPlace(client, userId) } = (state ?? {}) as {
    readonly place?: ListPlace
  }
  useEffect(() => {
    if (place) rememberPlace(client, userId, place)
  }, [client, userId, place])
  const query = place && readPlaceQuery(client, place, subject)
  return query ? <NeighbourLinks key={userId} userId={userId} place={place} query={query} /> : null
}

interface NeighbourLinksProps {
  readonly userId: string
  readonly place: ListPlace
  readonly query: UsersQuery
}

function NeighbourLinks({ userId, place, query }: NeighbourLinksProps) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { at, before, total, previous, next } = useNeighbours(userId, place, query)
  // Moving to another user keeps the current tab.
  const tab = /\/(activity|segments|record)$/.exec(pathname)?.[0] ?? ''
  const go = (to: Neighbour | undefined) =>
    to && (() => void navigate(links.user(to.id) + tab, { state: placeState(to.place) }))
  const press = useEffectEvent((event: KeyboardEvent) => {
    const step = { '[': go(previous), ']': go(next) }[singleKeyOf(event) ?? '']
    if (!step || event.defaultPrevented) return
    event.preventDefault()
    step()
  })
  // A layout effect registers the keys before the buttons are visible, so that no key press is lost.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  if (at === undefined) return null
  const button = (label: string, to: Neighbour | undefined, key: string, Icon: typeof IconChevronLeft) => (
    <IconButton
      size="small"
      aria-label={label}
      {...hint(label, key)}
      aria-disabled={to === undefined}
      data-disabled={to === undefined || undefined}
      onClick={go(to)}
    >
      <Icon size={15} stroke={1.75} aria-hidden />
    </IconButton>
  )
  return (
    <fieldset aria-label={listStepsText.label} className={classes.root}>
      {button(describeStep('previous', previous), previous, '[', IconChevronLeft)}
      {before !== undefined && <span>{describePlace(before + at + 1, total)}</span>}
      {button(describeStep('next', next), next, ']', IconChevronRight)}
    </fieldset>
  )
}

function describeStep(step: 'previous' | 'next', to: Neighbour | undefined): string {
  const { nameless, named } = listStepsText[step]
  return to?.name === undefined ? nameless : named({ name: to.name })
}

function describePlace(place: number, total: number | undefined): string {
  return total === undefined ? listStepsText.place({ place }) : listStepsText.placeOf({ place, total })
}

interface Neighbour {
  readonly id: string
  readonly name: string | undefined
  readonly place: ListPlace
}

/** Page of the list as it was when it was left: a list that somebody steps through must not change under them. */
function useStablePage(query: UsersQuery, enabled = true) {
  const stable = { enabled, staleTime: Infinity, refetchOnWindowFocus: false }
  return useQuery({ ...usersQuery(query), ...stable }).data
}

/** Returns this user's position in the list, and the users before and after, who may be on adjacent pages. */
function useNeighbours(userId: string, place: ListPlace, query: UsersQuery) {
  const { offset, visited } = place
  const page = useStablePage(query)
  const users = page?.users ?? []
  const found = users.findIndex(({ id }) => id === userId)
  // A changed user may have dropped out of the list; the next user has then moved up to that position.
  const [last, setLast] = useState(found)
  if (found !== -1 && found !== last) setLast(found)
  const at = found === -1 ? last : found
  const isGone = found === -1
  const nextAt = isGone ? at : at + 1

  const position = page && locatePage(page, place)
  const earlier = at === 0 ? position?.previous : undefined
  const later = nextAt >= users.length ? position?.next : undefined
  const before = useStablePage({ ...query, offset: earlier?.offset }, earlier !== undefined)
  const after = useStablePage({ ...query, offset: later?.offset }, later !== undefined)

  const neighbour = (user: UsersPage['users'][number] | undefined, where: ListPlace): Neighbour | undefined =>
    user && { id: user.id, name: nameOf(user), place: where }
  const isCounted = offset === '' || visited[0]?.offset === ''
  return {
    at: page === undefined || at === -1 ? undefined : at,
    /** Number of users on the previous pages; undefined if unknown. */
    before: isCounted ? visited.reduce((sum, { rows }) => sum + rows, 0) : undefined,
    total: page?.atLeast === true ? undefined : (page?.total ?? undefined),
    previous: earlier
      ? neighbour(before?.users.at(-1), { ...place, ...earlier })
      : neighbour(at > 0 ? users[at - 1] : undefined, place),
    next: later ? neighbour(after?.users[0], { ...place, ...later }) : neighbour(users[nextAt], place),
  }
}
