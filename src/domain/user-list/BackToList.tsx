import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Location } from 'react-router'

import { BackLink } from '../BackLink.tsx'
import { links } from '../links.ts'
import { userText } from '../../messages/index.ts'

interface ListAddress {
  readonly to: string
  /** State of the list's history entry; `listEntry`: the key of that entry, by which its search is restored. */
  readonly state: { readonly listEntry?: string }
}

/** Kept in memory, so that another tab, a fresh start or another person who signs in begins with all users. */
const lastAddress = new WeakMap<QueryClient, ListAddress>()

/** The page of the list that was shown last, with the way to it: for "Users ‹", Cancel, and after a deletion. */
export function listAddress(client: QueryClient): ListAddress {
  return lastAddress.get(client) ?? { to: links.users(), state: {} }
}

export function rememberList(client: QueryClient, { search, state, key }: Location): void {
  lastAddress.set(client, {
    to: links.users() + search,
    state: { ...(state as object | null), listEntry: key },
  })
}

export function BackToList() {
  return (
    <BackLink {...listAddress(useQueryClient())} preventScrollReset>
      {userText.title}
    </BackLink>
  )
}
