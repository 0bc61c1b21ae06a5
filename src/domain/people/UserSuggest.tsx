import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { readValue } from '#contract/index.ts'
import { isFull } from '../../api/index.ts'
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
  return useDenied('users:read') === undefined && isFull()
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
  const users = useUsers(typed, isOpen && isSearched, likely)
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
      onChoose={onChoose}
      onOpenChange={(next) => {
        setOpen(next)
        onOpenChange?.(next)
      }}
    />
  )
}

export const isUserId = (text: string) => !readValue('RELATIONSHIP', { user: text }).issues

const shownUsers = 8
const searchDebounceMs = 150

function noteWithoutSearch(typed: string, mayUsers: boolean): string | undefined {
  if (isUserId(typed)) return undefined
  return mayUsers ? targetText.noSearch : targetText.byId
}

function useUsers(typed: string, isOpen: boolean, likely: FoundUser | undefined) {
  const settled = useDebouncedValue(typed, searchDebounceMs)
  const isAsked = isOpen && typed !== '' && !isUserId(typed)
  const { data, isError } = useQuery({
    ...usersQuery({ q: settled }),
    enabled: isAsked && settled === typed,
    // A short lifetime in the cache (milliseconds), since the results are personal data.
    gcTime: 10_000,
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
  const options = shown.slice(0, shownUsers).map((user): FoundUser => {
    const details = [emailOf(user), user.ref].filter(Boolean).join(' · ')
    return { id: user.id, name: nameOf(user) ?? targetText.noName, details: details || shortId(user.id) }
  })
  if (!answer) return { options, isSure: false, note: targetText.searching }
  const total = answer.total ?? undefined
  const isMore = options.length < (total ?? answer.users.length)
  return {
    options,
    isSure: answer.similar !== true,
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
