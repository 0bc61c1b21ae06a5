import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { Link } from 'react-router'

import type { User } from '#contract/index.ts'
import { put, sharedStorage } from '../../auth/storage.ts'
import { columnLabel, unitOf } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { AccountState } from '../../domain/people/AccountState.tsx'
import { matchedValue } from '../../domain/people/matched-value.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import type { OwnColumns } from '../../domain/queries/users.ts'
import { type ListPlace, placeState } from '../../domain/user-list/list-state.ts'
import { userText } from '../../messages/index.ts'
import { WithAvatar } from '../../ui/Avatar.tsx'
import { type Column, rowLink } from '../../ui/DataTable.tsx'
import { hint } from '../../ui/Hint.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { None } from '../../ui/None.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './UsersPage.module.css'

// Only a search marks anything, so the first page does without.
const Highlight = lazyPart(async () => (await import('../../ui/Highlight.tsx')).Highlight)

const coming = <SkeletonBar width="56px" />

// Few lists have columns of properties.
const ColumnValues = lazyPart(async () => (await import('./ColumnValues.tsx')).ColumnValues, coming)

interface RowContextValue {
  /** Search text to highlight in the rows; `''` for none. */
  readonly query: string
  /** Id of the user whose row is the only one that Tab stops at; the arrow keys reach the other rows. */
  readonly tabStop: string | undefined
  readonly select: (user: User) => ReactNode
  /** Position of the rows in the list, passed to the user's page that a row links to. */
  readonly place: ListPlace | undefined
  /** Values of the property columns: undefined while they load, null if they could not be read. */
  readonly values: ValuesByUser | null | undefined
}

/** State that the cells share. */
export const RowContext = createContext<RowContextValue>({
  query: '',
  tabStop: undefined,
  select: () => null,
  place: undefined,
  values: undefined,
})

/** Id of the element with the name of a user's row. The row has a box as well, which says the name again. */
const nameId = ({ id }: User) => `name-${id}`

const userColumns: readonly (Column<User> & { readonly id: ColumnName })[] = [
  {
    id: 'name',
    sortable: true,
    header: userText.columns.name,
    cell: (user) => <NameLink user={user} />,
    namedBy: nameId,
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
    narrow: 'wideOnly',
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
const narrowWidths: Partial<Record<ColumnName, Pick<Column<User>, 'width'>>> = {
  name: { width: '17%' },
  email: { width: '16%' },
  ref: { width: '8%' },
  since: { width: '84px' },
  created: { width: '84px' },
  account: { width: '84px' },
}

/**
 * Returns the user's own columns and one for each property. Numbers are right-aligned once `values` shows that a column
 * contains them.
 */
export function columnsOf(
  names: readonly ColumnName[],
  properties: readonly string[],
  values: ValuesByUser | undefined,
): readonly Column<User>[] {
  const own = userColumns.filter(({ id }) => names.includes(id))
  if (properties.length === 0) return own
  const narrow = own.map((column) => Object.assign({}, column, narrowWidths[column.id]))
  const ofProperties = properties.map((name): Column<User> => ({
    id: name,
    header: headerOf(name),
    hint: name,
    narrow: 'labelled',
    ...(isNumeric(name, values) && { align: 'end' as const }),
    cell: ({ id }) => <ColumnCell userId={id} name={name} />,
  }))
  return [...narrow, ...ofProperties]
}

/** Returns the label of a property with the unit of its numbers, which the cells leave out. */
function headerOf(name: string): string {
  const at = name.indexOf('.')
  const unit = unitOf(name.slice(0, at), name.slice(at + 1))
  return unit === undefined ? columnLabel(name) : userText.unitColumn({ label: columnLabel(name), unit })
}

function NameLink({ user }: { readonly user: User }) {
  const name = nameOf(user)
  const matched = matchedValue(user)
  const { tabStop, place, select } = use(RowContext)
  return (
    <span className={classes.who}>
      {select(user)}
      <WithAvatar id={user.id} name={name}>
        <Link
          to={links.user(user.id)}
          state={placeState(place)}
          id={nameId(user)}
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
  const { query } = use(RowContext)
  if (children === null || children === undefined || children === '') return <None />
  return query === '' ? children : <Marked text={children} query={query} />
}

/** Text with what the search has found in it marked, once the code that does so has loaded. */
function Marked(props: { readonly text: string; readonly query: string }) {
  const [isRead, setRead] = useState(Highlight.isRead)
  useEffect(() => {
    if (!isRead)
      void Highlight.read().then(
        () => setRead(true),
        () => undefined,
      )
  }, [isRead])
  return isRead ? <Highlight {...props} /> : props.text
}

function IdText({ children }: { readonly children: string }) {
  const { query } = use(RowContext)
  return (
    <span className="ds-mono" {...hint(children)}>
      {query === '' ? shortId(children) : <Marked text={children} query={query} />}
    </span>
  )
}

export type ValuesByUser = Readonly<Record<string, OwnColumns>>

/** Values of a property that a user has, once they and the code that shows them have been read. */
function ColumnCell({ userId, name }: { readonly userId: string; readonly name: string }) {
  const { values } = use(RowContext)
  const own = values?.[userId]
  if (!own) return values === null ? null : coming
  const properties = own[name] ?? []
  return properties.length === 0 ? <None /> : <ColumnValues {...{ name, properties }} />
}

const numeric = new Set(['NUMBER', 'DECIMAL', 'CURRENCY'])

function isNumeric(name: string, values: ValuesByUser = {}): boolean {
  const types = Object.values(values).flatMap((own) => (own[name] ?? []).map(({ type }) => type))
  return types.length > 0 && types.every((type) => numeric.has(type))
}

// Display preferences: names of columns, entity types and keys, no personal data.
const preferencesKey = 'data-store.users-list'

export const columnNames = ['name', 'email', 'ref', 'since', 'created', 'account', 'id'] as const
export type ColumnName = (typeof columnNames)[number]

export interface ListPreferences {
  /** Columns in the order of `columnNames`; the name is always included. */
  readonly columns: readonly ColumnName[]
  /** Properties with a column of their own after the others, such as `car.plate`. */
  readonly properties: readonly string[]
  readonly density: 'compact' | 'comfortable'
}

export const defaultPreferences: ListPreferences = {
  columns: columnNames.filter((name) => name !== 'id'),
  properties: [],
  density: 'compact',
}

/** Reads the stored preferences, which may come from another version or have been edited by hand. */
export function readListPreferences(): ListPreferences {
  try {
    const kept: unknown = JSON.parse(sharedStorage?.getItem(preferencesKey) ?? '')
    const { columns, properties, density } = kept as Record<string, unknown>
    return {
      columns: Array.isArray(columns)
        ? columnNames.filter((name) => name === 'name' || columns.includes(name))
        : defaultPreferences.columns,
      properties: Array.isArray(properties) ? properties.filter(isProperty) : [],
      density: density === 'comfortable' ? density : 'compact',
    }
  } catch {
    return defaultPreferences
  }
}

/** Returns the stored preferences, and a function that changes some of them. */
export function useListPreferences() {
  const [preferences, set] = useState(readListPreferences)
  const choose = (changed: Partial<ListPreferences>) => {
    const next = { ...preferences, ...changed }
    put(sharedStorage, preferencesKey, JSON.stringify(next))
    set(next)
  }
  return [preferences, choose] as const
}

/** Returns whether a name consists of an entity type and a property key, such as `car.plate`. */
function isProperty(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z][\w-]{0,63}\..{1,128}$/u.test(name)
}
