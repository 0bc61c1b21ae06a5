import { IconChevronLeft } from '@tabler/icons-react'
import { Link, type Location } from 'react-router'

import { links } from '../../app/links.ts'
import { users as text } from '../../messages/index.ts'
import { readTrail, type Trail } from './paging.ts'
import classes from './list-address.module.css'

interface ListAddress {
  readonly to: string
  readonly state: Trail
}

// In memory only, so that another tab or a fresh start begins with all users.
let last: ListAddress | undefined

/** The page of the list that was shown last, with the way to it: for "Users ‹", Cancel, and after a deletion. */
export function listAddress(): ListAddress {
  return last ?? { to: links.users(), state: { visited: [] } }
}

export function rememberList({ search, state }: Location): void {
  last = { to: links.users() + search, state: readTrail(state) }
}

export function BackToList() {
  const { to, state } = listAddress()
  return (
    <Link to={to} state={state} className={classes.back}>
      <IconChevronLeft size={14} aria-hidden />
      {text.title}
    </Link>
  )
}
