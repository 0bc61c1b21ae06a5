import { createContext, type ReactNode, use } from 'react'
import { Link } from 'react-router'

import type { User } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { type ListPlace, placeState } from '../../domain/user-list/list-state.ts'
import { userText } from '../../messages/index.ts'
import { WithAvatar } from '../../ui/Avatar.tsx'
import { type Column, rowLink } from '../../ui/DataTable.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { hint } from '../../ui/Hint.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { AccountState } from '../../domain/people/AccountState.tsx'
import type { ColumnName } from './list-preferences.ts'
import { matchedValue } from '../../domain/people/matched-value.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import classes from './UsersPage.module.css'

interface RowContextValue {
  /** Search text to highlight in the rows; `''` for none. */
  readonly query: string
  /** Id of the user whose row is the only one that Tab stops at; the arrow keys reach the other rows. */
  readonly tabStop: string | undefined
  readonly select: (user: User) => ReactNode
  /** Position of the rows in the list, passed to the user's page that a row links to. */
  readonly place: ListPlace | undefined
}

/** State that the cells share; undefined in the skeleton. */
export const RowContext = createContext<RowContextValue | undefined>(undefined)

const userColumns: readonly (Column<User> & { readonly id: ColumnName })[] = [
  {
    id: 'name',
    sortable: true,
    header: userText.columns.name,
    cell: (user) => <NameLink user={user} />,
  },
  {
    id: 'email',
    sortable: true,
    header: userText.columns.email,
    cell: (user) => <LongText>{emailOf(user)}</LongText>,
  },
  { id: 'ref', header: userText.columns.ref, width: '100px', cell: ({ ref }) => <LongText>{ref}</LongText> },
  {
    id: 'since',
    sortable: true,
    header: userText.columns.since,
    width: '92px',
    narrow: 'labelled',
    cell: ({ since }) => <Timestamp value={since} />,
  },
  {
    id: 'created',
    sortable: true,
    header: userText.columns.created,
    width: '92px',
    narrow: 'hidden',
    cell: ({ created }) => <Timestamp value={created} />,
  },
  {
    id: 'account',
    narrow: 'hidden',
    header: userText.columns.account,
    width: '104px',
    cell: ({ account }) => <AccountState value={account} short />,
  },
  { id: 'id', header: userText.columns.id, width: '150px', cell: ({ id }) => <IdText>{id}</IdText> },
]

/** Widths used next to property columns, which need the room. */
const narrowWidths: Partial<Record<ColumnName, string>> = {
  name: '17%',
  email: '16%',
  ref: '8%',
  since: '84px',
  created: '84px',
  account: '84px',
}

export function columnsOf(
  names: readonly ColumnName[],
  properties: readonly Column<User>[] = [],
): readonly Column<User>[] {
  const own = userColumns.filter(({ id }) => names.includes(id))
  if (properties.length === 0) return own
  const narrow = own.map((column) => {
    const width = narrowWidths[column.id]
    return width === undefined ? column : Object.assign({}, column, { width })
  })
  return [...narrow, ...properties]
}

function NameLink({ user }: { readonly user: User }) {
  const name = nameOf(user)
  const matched = matchedValue(user)
  const { tabStop, place, select } = use(RowContext) ?? {}
  return (
    <span className={classes.who}>
      {select?.(user)}
      <WithAvatar id={user.id} name={name}>
        <Link
          to={links.user(user.id)}
          state={placeState(place)}
          dir="auto"
          {...rowLink}
          {...(tabStop !== undefined && tabStop !== user.id && { tabIndex: -1 })}
        >
          {name === undefined ? (
            <span className={classes.noName}>{userText.noName}</span>
          ) : (
            <LongText>{name}</LongText>
          )}
        </Link>
        {matched !== undefined && (
          <span className={classes.matched} {...hint(matched)}>
            {matched}
          </span>
        )}
      </WithAvatar>
    </span>
  )
}

/** Truncated text of a cell. It has no tooltip, which would cover the next row; the preview shows the full text. */
function LongText({ children }: { readonly children: string | null | undefined }) {
  const query = use(RowContext)?.query ?? ''
  if (children === null || children === undefined || children === '') return null
  return query === '' ? children : <Highlight text={children} query={query} />
}

function IdText({ children }: { readonly children: string }) {
  const query = use(RowContext)?.query ?? ''
  return (
    <span className="ds-mono" {...hint(children)}>
      {query === '' ? shortId(children) : <Highlight text={children} query={query} />}
    </span>
  )
}
