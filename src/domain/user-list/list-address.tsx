import { IconChevronLeft } from '@tabler/icons-react'
import { Link, type Location } from 'react-router'

import { links } from '../links.ts'
import { users as text } from '../../messages/index.ts'
import { readTrail, type Trail } from './paging.ts'
import classes from './list-address.module.css'

interface ListAddress {
  readonly to: string
  /** `place`: the entry of the history that it was, whose search comes back with it. */
  readonly state: Trail & { readonly place?: string }
}

// In memory only, so that another tab or a fresh start begins with all users.
let last: ListAddress | undefined

/** The page of the list that was shown last, with the way to it: for "Users ‹", Cancel, and after a deletion. */
export function listAddress(): ListAddress {
  return last ?? { to: links.users(), state: { visited: [] } }
}

export function rememberList({ search, state, key }: Location): void {
  last = { to: links.users() + search, state: { ...readTrail(state), place: key } }
}

export function BackToList() {
  const { to, state } = listAddress()
  return (
    <Link to={to} state={state} preventScrollReset className={classes.back}>
      <IconChevronLeft size={14} aria-hidden />
      {text.title}
    </Link>
  )
}
