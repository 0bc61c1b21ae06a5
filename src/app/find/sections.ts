import { IconBolt, IconChartPie, IconListSearch, IconRefresh, IconUser } from '@tabler/icons-react'
import { queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useMatches, useNavigate } from 'react-router'

import type { Segment, User, UserSearchResult } from '#contract/index.ts'
import { ApiError, fileUnder } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { matchedValue } from '../../domain/people/matched-value.ts'
import { usePins } from '../../domain/people/pins.ts'
import type { Visit } from '../../domain/people/recent.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { eventQuery } from '../../domain/queries/events.ts'
import { segmentQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import { userQuery, usersQuery } from '../../domain/queries/users.ts'
import { listWithText } from '../../domain/user-list/list-state.ts'
import { findText } from '../../messages/index.ts'
import { instantMs, minuteOf, type ZoneChoice } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { useCommands, useThisUser, useValues } from './commands.ts'
import { type FindSection, isNamed, matches, type Option } from './option.ts'

const shownUsers = 8
const shownSegments = 5

export interface Offer {
  readonly sections: readonly FindSection[]
  /** Whether results are still loading that would come before or among these. */
  readonly isPending: boolean
  /** Whether an Enter pressed early chooses the first option; not if the search failed or found only similar users. */
  readonly isSure: boolean
  /** Notes below the rows: why something is missing, or what to do. */
  readonly notes: readonly string[]
}

/**
 * Returns the offers for the typed text. An empty text gets pinned users, recently opened users and segments, actions
 * for the open user, and all permitted pages and actions.
 * @param isSearchable Whether the service searches for users.
 */
export function useOffer(
  typed: string,
  recent: readonly Visit[],
  commanded: ZoneChoice,
  isSearchable: boolean,
): Offer {
  const query = typed.trim()
  const id = idIn(query, isSearchable)
  const pinned = usePinned()
  const recently = useRecent(recent.filter(({ id }) => !pinned.ids.includes(id)))
  const thisUser = useThisUser()
  const commands = useCommands(commanded)
  const values = useValues()
  const users = useUsers(id === undefined ? query : '', isSearchable)
  const byId = useById(id)
  const segments = useSegments(id === undefined ? query : '')
  if (query === '')
    return {
      sections: [
        pinned.section,
        recently,
        { label: findText.thisUser.label, options: allowed(thisUser) },
        { label: findText.commands, options: allowed(commands) },
      ],
      isPending: false,
      isSure: false,
      notes: [],
    }
  if (id !== undefined) return byId
  const matching = [...thisUser, ...values, ...commands].filter(({ label, words = '' }) =>
    matches(`${label} ${words}`, query),
  )
  const named = matching.filter((command) => isNamed(command, query))
  const actions = {
    label: findText.commands,
    options: [...named, ...matching.filter((command) => !named.includes(command))],
  }
  // Enter takes the first row. An action named in whole words comes first at once. Otherwise users come before segments
  // and actions. The retry that stands in for users comes last.
  if (named.length > 0)
    return {
      sections: [actions, users.section, segments],
      isPending: false,
      isSure: true,
      notes: users.notes,
    }
  const local = [segments, actions]
  const sections = users.isInstead ? [...local, users.section] : [users.section, ...local]
  // Without a search on the service, nobody knows whether a user matches.
  const isNothing = isSearchable && !users.isPending && sections.every(({ options }) => options.length === 0)
  return {
    sections,
    isPending: users.isPending,
    isSure: users.isSure,
    notes: [
      ...(isNothing ? [findText.nothing({ query })] : []),
      ...(isNothing && users.isSearched ? [findText.unsearched] : []),
      ...users.notes,
    ],
  }
}

const allowed = (options: readonly Option[]) => options.filter(({ denied }) => denied === undefined)

/**
 * Returns an id that stands alone or within a pasted address or sentence. Another service may have its own id format:
 * if it has no search, a long word with a digit is tried as an id.
 */
function idIn(typed: string, isSearchable: boolean): string | undefined {
  const uuid = /(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/i.exec(typed)?.[0]
  if (uuid !== undefined) return uuid.toLowerCase()
  return !isSearchable && /^(?=.*\d)[\w-]{16,128}$/.test(typed) ? typed : undefined
}

function usePinned() {
  const { userId } = useMatches().at(-1)?.params ?? {}
  const ids = usePins().ids.filter((id) => id !== userId)
  return { ids, section: { label: findText.pinned, options: usePeople(ids).map(userOption) } }
}

function useRecent(recent: readonly Visit[]): FindSection {
  const maySegments = useDenied('segments:read') === undefined
  const idsOf = (kind: Visit['kind']) => recent.filter((each) => each.kind === kind).map(({ id }) => id)
  // Entries deleted in the meantime are left out.
  const people = usePeople(idsOf('user'))
  const segments = useQueries({
    // The cached copy never goes stale: only name and description are shown.
    queries: (maySegments ? idsOf('segment') : []).map((id) =>
      queryOptions({ ...segmentQuery(id), staleTime: 'static' }),
    ),
  })
  const options = new Map<string, Option>()
  for (const person of people) options.set(person.id, userOption(person))
  for (const { data } of segments) if (data) options.set(data.id, segmentOption(data))
  return { label: findText.recent, options: recent.flatMap(({ id }) => options.get(id) ?? []) }
}

function useUsers(query: string, isSearchable: boolean) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const openList = () => {
    const { to, state } = listWithText(client, query)
    void navigate(to, { state })
  }
  const denied = useDenied('users:read')
  const { answer, isPending, failure, retry } = useFoundUsers(
    isSearchable && denied === undefined ? query : '',
  )
  const offered = { isPending, isSure: false, isInstead: false, isSearched: false, notes: [] as string[] }
  const none = { label: findText.users, options: [] }
  if (query === '') return { ...offered, section: none }
  if (denied !== undefined) return { ...offered, section: none, notes: [findText.denied({ reason: denied })] }
  if (!isSearchable) return { ...offered, section: none, notes: [findText.noSearch] }
  if (failure) {
    const label = describeSearchFailure(failure)
    return {
      ...offered,
      isInstead: true,
      section: { ...none, options: [retryOption('users', label, retry)] },
    }
  }
  if (!answer) return { ...offered, section: { ...none, isLoading: isPending } }
  const found = answer.users.slice(0, shownUsers).map(userOption)
  const total = answer.total ?? undefined
  const isMore = found.length < (total ?? answer.users.length)
  const options = isMore ? [...found, { ...listOption, label: findText.openList, run: openList }] : found
  const isSimilar = answer.similar === true
  return {
    ...offered,
    section: {
      options,
      label: isSimilar ? findText.similarUsers : labelUsers(found.length, total, answer.atLeast === true),
    },
    isSure: !isSimilar,
    isSearched: true,
  }
}

function useSegments(query: string): FindSection {
  const isAllowed = useDenied('segments:read') === undefined
  const { data, isError, refetch } = useQuery({ ...segmentsQuery(), enabled: isAllowed })
  if (query === '') return { label: findText.segments, options: [] }
  if (isError && !data)
    return {
      label: findText.segments,
      options: [retryOption('segments', findText.segmentsFailed, () => void refetch())],
    }
  const found = (data ?? []).filter(({ name }) => name != null && matches(name, query))
  return { label: findText.segments, options: found.slice(0, shownSegments).map(segmentOption) }
}

function useById(id: string | undefined): Offer {
  const may = {
    user: useDenied('users:read') === undefined,
    segment: useDenied('segments:read') === undefined,
    event: useDenied('events:read') === undefined,
  }
  const zones = use(ZonesContext)
  // Ids are pasted, not typed. The debounce still keeps the beginning of a typed one from being sent.
  const isSettled = useDebouncedValue(id ?? '', findDebounceMs) === id
  const query = useQuery({ ...foundByIdQuery(id ?? '', may), enabled: id !== undefined && isSettled })
  const { refetch } = query
  const data = isSettled ? query.data : undefined
  const isError = isSettled && query.isError
  const options: Option[] = []
  if (data?.user) options.push(userOption(data.user.user))
  if (data?.segment) options.push(segmentOption(data.segment))
  if (data?.event) {
    const { type, eventtime } = data.event
    const ms = eventtime == null ? undefined : instantMs(eventtime, zones.service)
    options.push({
      id: `event ${data.event.id}`,
      icon: IconBolt,
      label: findText.event({ type }),
      details: ms === undefined ? [] : [minuteOf(ms, zones.shown)],
      to: links.event(data.event.id),
    })
  }
  if (isError) options.push(retryOption('id', findText.idFailed, () => void refetch()))
  const isPending = id !== undefined && !data && !isError
  const isAll = may.user && may.segment && may.event
  return {
    sections: [{ label: findText.byId, options, isLoading: isPending }],
    isPending,
    isSure: !isError,
    notes: data && options.length === 0 ? [isAll ? findText.nothingById : findText.nothingByIdSeen] : [],
  }
}

const listOption = { id: 'list', icon: IconListSearch, unsought: true }

function retryOption(what: string, label: string, run: () => void): Option {
  return { id: `retry ${what}`, icon: IconRefresh, label, run, unsought: true, stays: true }
}

const findDebounceMs = 150

/** Searches while a text is typed, unless it is empty. The previous answer stays until the current text has one. */
function useFoundUsers(text: string) {
  const isWanted = text !== ''
  const settled = useDebouncedValue(text, findDebounceMs)
  const isAsked = isWanted && settled === text
  const { data, error, refetch } = useQuery({ ...usersQuery({ q: settled }), enabled: isAsked })
  const [shown, setShown] = useState<UserSearchResult>()
  const failure = isAsked && data === undefined ? (error ?? undefined) : undefined
  const next = !isWanted || failure ? undefined : isAsked && data ? data : shown
  if (next !== shown) setShown(next)
  return {
    answer: next,
    isPending: isWanted && !failure && !(isAsked && data),
    failure,
    retry: () => void refetch(),
  }
}

function describeSearchFailure(error: Error): string {
  // The service asks to retry later.
  const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503)
  if (!isBusy) return findText.usersFailed
  const { retryAfterSeconds: seconds } = error
  return seconds === undefined ? findText.usersBusy : findText.usersBusyFor({ seconds })
}

/** @param isMore Whether there are more than `total`. */
function labelUsers(shown: number, total: number | undefined, isMore: boolean): string {
  if (total === undefined || total <= shown) return findText.users
  return isMore ? findText.someUsersOfMore({ shown, total }) : findText.someUsers({ shown, total })
}

function userOption(user: Pick<User, 'id' | 'name' | 'email'> & { readonly ref?: User['ref'] }): Option {
  const { id, ref } = user
  const name = nameOf(user)
  return {
    id: `user ${id}`,
    icon: IconUser,
    avatar: { id, name },
    label: name ?? findText.noName,
    nameless: name === undefined,
    details: [emailOf(user), ref, matchedValue(user)].flatMap((detail) => detail || []),
    to: links.user(id),
  }
}

function segmentOption({ id, name, description }: Pick<Segment, 'id' | 'name' | 'description'>): Option {
  return {
    id: `segment ${id}`,
    icon: IconChartPie,
    label: name ?? findText.namelessSegment,
    nameless: name == null,
    details: description == null || description === '' ? [] : [description],
    to: links.segment(id),
  }
}

/** Lifetime of unused lookups in the cache, in milliseconds: short, so that personal data does not linger. */
const forgottenMs = 10_000

/** Query for the user, segment and event with this id, all requested at the same time. */
function foundByIdQuery(id: string, may: Readonly<Record<'user' | 'segment' | 'event', boolean>>) {
  return queryOptions({
    ...fileUnder('getUser', { params: { user_id: id }, as: 'found', may }),
    queryFn: async ({ client }) => {
      const [user, segment, event] = await Promise.all([
        may.user ? present(client.query(userQuery(id))) : undefined,
        may.segment ? present(client.query(segmentQuery(id))) : undefined,
        may.event ? present(client.query(eventQuery(id))) : undefined,
      ])
      return { user, segment, event }
    },
    gcTime: forgottenMs,
  })
}

/** Statuses that mean that the id is not found. A service may also reject the id of something else as malformed. */
const absences = new Set([400, 404, 410, 422])

async function present<Thing>(read: Promise<Thing>): Promise<Thing | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiError && absences.has(error.status)) return undefined
    throw error
  }
}
