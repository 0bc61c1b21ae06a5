import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Location } from 'react-router'

import { userText } from '../../messages/index.ts'
import { BackLink } from '../BackLink.tsx'
import { links } from '../links.ts'

interface ListAddress {
  readonly to: string
  /** State of the list's history entry. `listEntry`: key of that entry, which restores its search. */
  readonly state: { readonly listEntry?: string }
}

/**
 * Last address of the list by session. Kept in memory only, so that another tab, a reload or another person starts
 * with all users.
 */
const lastAddress = new WeakMap<QueryClient, ListAddress>()

/** Returns the last shown page of the list as a link target: for "Users ‹", Cancel, and after a deletion. */
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
