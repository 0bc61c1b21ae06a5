import { useQuery } from '@tanstack/react-query'

import type { User } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { judgementText } from '../../messages/index.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'

const text = judgementText.check

export interface Candidate {
  readonly id: string
  readonly name: string
  readonly details: string
}

const debounceMs = 150
const shownUsers = 8

/** Whom the text may mean, while the list is open; without a search it can only be an id. */
export function useCandidates(typed: string, isOpen: boolean) {
  const isSearched = offers('users.search')
  const settled = useSettled(typed, debounceMs)
  const isAsked = isOpen && isSearched && typed !== ''
  const { data, isError } = useQuery({
    ...usersQuery({ q: settled }),
    enabled: isAsked && settled === typed,
    // What is looked up is not remembered for long.
    gcTime: 10_000,
  })
  const none: readonly Candidate[] = []
  if (!isOpen || typed === '')
    return { options: none, note: isSearched ? undefined : text.noSearch, isSure: false }
  if (!isSearched)
    return { options: [{ id: typed, name: typed, details: text.withId }], note: undefined, isSure: true }
  if (isError) return { options: none, note: text.failed, isSure: false }
  if (!data || settled !== typed) return { options: none, note: text.searching, isSure: false }
  const { users, similar = false } = data
  const options = users.slice(0, shownUsers).map(candidateOf)
  const isMore = users.length > options.length
  const note = users.length === 0 ? text.nothing : similar ? text.similar : isMore ? text.more : undefined
  return { options, note, isSure: !similar }
}

function candidateOf(user: User): Candidate {
  const details = [emailOf(user), user.ref].filter(Boolean).join(' · ')
  return { id: user.id, name: nameOf(user) ?? text.noName, details: details || shortId(user.id) }
}
