import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { readValue, type User } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { targetText } from '../../messages/index.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { usersQuery } from '../queries/users.ts'
import type { FieldProps } from '../values/Field.tsx'
import { Suggest } from '../values/Suggest.tsx'
import { emailOf, nameOf } from './user-fields.ts'
import classes from './UserSuggest.module.css'

interface UserSuggestProps extends FieldProps {
  readonly onChoose: (user: FoundUser) => void
  readonly onOpenChange?: (isOpen: boolean) => void
  /** User to suggest before anything is typed. */
  readonly likely?: FoundUser | undefined
}

export interface FoundUser {
  readonly id: string
  readonly name: string
  readonly details: string
}

/** Whether the person may search for users and the service supports it. */
export function useFindsUsers(): boolean {
  return useDenied('users:read') === undefined && offers('searchUsers')
}

/**
 * Input that finds a user by any data, or takes an id. What is typed may be personal: it is sent only in request bodies
 * and kept only in memory.
 */
export function UserSuggest({ onChoose, onOpenChange, likely, ...field }: UserSuggestProps) {
  const [isOpen, setOpen] = useState(false)
  const mayUsers = useDenied('users:read') === undefined
  const isSearched = useFindsUsers()
  const typed = field.value.trim()
  /** Text that was left, or entered before its results were there. */
  const [taken, setTaken] = useState<{ readonly typed: string; readonly isEntered: boolean }>()
  const isTaken = taken?.typed === typed
  const users = useUsers(typed, (isOpen || isTaken) && isSearched, likely)
  const choice = !isTaken ? undefined : taken.isEntered ? (users.exact ?? users.only) : users.exact
  useEffect(() => {
    if (!choice) return
    setTaken(undefined)
    onChoose(choice)
    // oxlint-disable-next-line react/exhaustive-deps -- a result is chosen once, whatever else is rendered anew
  }, [choice?.id])
  return (
    <Suggest
      {...field}
      mono={isUserId(typed)}
      {...(isSearched && { placeholder: targetText.search })}
      // Maximum length of a search text that the service accepts.
      maxLength={200}
      listLabel={targetText.users}
      options={users.options}
      enterTakes={isUserId(typed) ? undefined : users.isSure ? 'first' : 'none'}
      note={users.note ?? (isSearched ? undefined : noteWithoutSearch(typed, mayUsers))}
      idOf={({ id }) => id}
      renderOption={({ name, details }) => (
        <span className={classes.option}>
          <bdi>{name}</bdi>
          <span className={classes.details}>{details}</span>
        </span>
      )}
      onChoose={(user) => {
        setTaken(undefined)
        onChoose(user)
      }}
      onEarlyEnter={() => setTaken({ typed, isEntered: true })}
      onBlur={() => {
        if (typed !== '' && !isUserId(typed)) setTaken({ typed, isEntered: false })
        field.onBlur?.()
      }}
      onOpenChange={(next) => {
        setOpen(next)
        onOpenChange?.(next)
      }}
    />
  )
}

export const isUserId = (text: string) => !readValue('RELATIONSHIP', { user: text }).issues

/** Returns the one user whose name, e-mail or ref is the text, however it is capitalized; undefined for none or several. */
function exactOf(typed: string, users: readonly User[]): User | undefined {
  const fold = (text: string | null | undefined) => text?.normalize('NFKC').trim().toLowerCase()
  const [user, ...others] = users.filter((each) =>
    [nameOf(each), emailOf(each), each.ref].some((text) => fold(text) === fold(typed)),
  )
  return others.length === 0 ? user : undefined
}

/** Returns a function that finds the id of the one user whose name, e-mail or ref is the text. */
export function useExactUser(): (typed: string) => Promise<string | undefined> {
  const client = useQueryClient()
  const isSearched = useFindsUsers()
  return async (typed) => {
    if (!isSearched || typed === '' || isUserId(typed)) return undefined
    const query = { ...usersQuery({ q: typed }), gcTime: resultsMs }
    const found = await client.fetchQuery(query).catch(() => undefined)
    return exactOf(typed, found?.users ?? [])?.id
  }
}

/** Lifetime of results in the cache, short because they are personal data. */
const resultsMs = 10_000
const shownUsers = 8
const searchDebounceMs = 150

function noteWithoutSearch(typed: string, mayUsers: boolean): string | undefined {
  if (isUserId(typed)) return undefined
  return mayUsers ? targetText.noSearch : targetText.byId
}

interface FoundUsers {
  readonly options: readonly FoundUser[]
  /** Whether the options are the results of the typed text, and no similar ones. */
  readonly isSure: boolean
  /** Only result whose name, e-mail or ref is the typed text. */
  readonly exact?: FoundUser | undefined
  /** Only result. */
  readonly only?: FoundUser | undefined
  readonly note: string | undefined
}

function toFoundUser(user: User): FoundUser {
  const details = [emailOf(user), user.ref].filter(Boolean).join(' · ')
  return { id: user.id, name: nameOf(user) ?? targetText.noName, details: details || shortId(user.id) }
}

function useUsers(typed: string, isOpen: boolean, likely: FoundUser | undefined): FoundUsers {
  const settled = useDebouncedValue(typed, searchDebounceMs)
  const isAsked = isOpen && typed !== '' && !isUserId(typed)
  const { data, isError } = useQuery({
    ...usersQuery({ q: settled }),
    enabled: isAsked && settled === typed,
    gcTime: resultsMs,
  })
  const [before, setBefore] = useState<typeof data>()
  const answer = isAsked && settled === typed ? data : undefined
  if (answer && answer !== before) setBefore(answer)
  if (!isAsked) {
    const isLikely = isOpen && typed === '' && likely !== undefined
    return { options: isLikely ? [likely] : [], isSure: false, note: undefined }
  }
  if (isError && settled === typed) return { options: [], isSure: false, note: targetText.failed }
  // The previous results stay visible until the next ones arrive, but are not treated as current.
  const shown = (answer ?? before)?.users ?? []
  const options = shown.slice(0, shownUsers).map(toFoundUser)
  if (!answer) return { options, isSure: false, note: targetText.searching }
  const exact = exactOf(typed, answer.users)
  const total = answer.total ?? undefined
  const isMore = options.length < (total ?? answer.users.length)
  return {
    options,
    isSure: answer.similar !== true,
    exact: exact && toFoundUser(exact),
    only: answer.similar !== true && answer.users.length === 1 ? options[0] : undefined,
    note:
      options.length === 0
        ? targetText.nothing
        : answer.similar === true
          ? targetText.similar
          : isMore
            ? total === undefined || answer.atLeast === true
              ? targetText.more({ shown: options.length })
              : targetText.moreOf({ shown: options.length, total })
            : undefined,
  }
}
