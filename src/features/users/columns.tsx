import { Link } from 'react-router'

import type { User } from '#contract/index.ts'
import { links } from '../../app/links.ts'
import { users as text } from '../../messages/index.ts'
import { type Column, rowLink } from '../../ui/DataTable.tsx'
import { hint } from '../../ui/Hint.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { AccountState } from './AccountState.tsx'
import { emailOf, nameOf } from './user-fields.ts'
import classes from './UsersPage.module.css'

/** A user as a row of the list. */
export const columns: readonly Column<User>[] = [
  { id: 'name', header: text.columns.name, width: '24%', cell: (user) => <NameLink user={user} /> },
  { id: 'email', header: text.columns.email, width: '28%', cell: (user) => <Long>{emailOf(user)}</Long> },
  { id: 'ref', header: text.columns.ref, cell: ({ ref }) => <Long>{ref}</Long> },
  {
    id: 'since',
    header: text.columns.since,
    width: '10%',
    narrow: 'labelled',
    cell: ({ since }) => <Timestamp value={since} />,
  },
  {
    id: 'created',
    header: text.columns.created,
    width: '10%',
    narrow: 'hidden',
    cell: ({ created }) => <Timestamp value={created} />,
  },
  {
    id: 'account',
    narrow: 'hidden',
    header: text.columns.account,
    width: '130px',
    cell: ({ account }) => <AccountState value={account} short />,
  },
]

function NameLink({ user }: { readonly user: User }) {
  const name = nameOf(user)
  return (
    <Link to={links.user(user.id)} {...rowLink}>
      {name === undefined ? <span className={classes.noName}>{text.noName}</span> : <Long>{name}</Long>}
    </Link>
  )
}

/** What a cell may cut off is whole on hover. */
function Long({ children }: { readonly children: string | null | undefined }) {
  if (children === null || children === undefined || children === '') return null
  return <span {...hint(children.length > 20 ? children : undefined)}>{children}</span>
}
