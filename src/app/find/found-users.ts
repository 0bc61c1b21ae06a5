import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { UserSearchResult } from '#contract/index.ts'

import { ApiError, offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { usersQuery } from '../../domain/queries/users.ts'

/** Between two letters of somebody who types. */
export const debounceMs = 150

export interface FoundUsers {
  /** The last answer that came: what was typed before stays until there is one for what is typed now. */
  readonly answer: UserSearchResult | undefined
  /** An answer for what is typed now is on its way. */
  readonly isPending: boolean
  readonly failure: Error | undefined
  readonly retry: () => void
}

/** Searches as it is typed; what is not wanted any more is given up. An empty text searches nothing. */
export function useFoundUsers(text: string): FoundUsers {
  const isPossible = useDenied('users:read') === undefined && offers('users.search')
  const isWanted = text !== '' && isPossible
  const settled = useSettled(text, debounceMs)
  const { data, error, refetch } = useQuery({
    ...usersQuery({ q: settled }),
    enabled: isWanted && settled === text,
  })
  const [shown, setShown] = useState<UserSearchResult>()
  const isAsked = isWanted && settled === text
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

/** The service asks to be asked later. */
export function isBusy(error: Error): error is ApiError {
  return error instanceof ApiError && (error.status === 429 || error.status === 503)
}
