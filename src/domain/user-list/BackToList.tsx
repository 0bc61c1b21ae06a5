import type { Location } from 'react-router'

import { BackLink } from '../BackLink.tsx'
import { links } from '../links.ts'
import { userText } from '../../messages/index.ts'

interface ListAddress {
  readonly to: string
  /** What the list kept in its history entry; `listEntry`: the key of that entry, whose search comes back with it. */
  readonly state: { readonly listEntry?: string }
}

// In memory only, so that another tab or a fresh start begins with all users.
let last: ListAddress | undefined

/** The page of the list that was shown last, with the way to it: for "Users ‹", Cancel, and after a deletion. */
export function listAddress(): ListAddress {
  return last ?? { to: links.users(), state: {} }
}

export function rememberList({ search, state, key }: Location): void {
  last = { to: links.users() + search, state: { ...(state as object | null), listEntry: key } }
}

export function BackToList() {
  return (
    <BackLink {...listAddress()} preventScrollReset>
      {userText.title}
    </BackLink>
  )
}
