import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import type { User } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { userList as text } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { MarkContext } from './columns.tsx'
import { position, type Step } from './paging.ts'
import { firstPage, type UserListEntry } from './list-entry.ts'
import { foundUsersQuery } from '../../domain/queries/users.ts'
import { focusFirstRow, UserTable, type UserTableProps } from './UserTable.tsx'
import classes from './FoundUsers.module.css'

export interface FoundUsersProps extends Pick<UserTableProps, 'preferences' | 'takeArrival' | 'onLeave'> {
  /** Above the rows, and in their place. */
  readonly part: 'count' | 'rows'
  readonly entry: UserListEntry
  readonly change: (changes: Partial<UserListEntry>) => void
  /** Users of the segment. */
  readonly total: number | undefined
  /** What to do with the first row once it is there. */
  readonly intent: 'open' | 'rows' | undefined
  readonly onIntent: (done: undefined) => void
  /** The list, for as long as there is nothing else. */
  readonly behind: ReactNode
}

/** What the service finds. */
export function FoundUsers(props: FoundUsersProps) {
  return props.part === 'count' ? <Count {...props} /> : <Rows {...props} />
}

const useFound = ({ q, segment, offset }: UserListEntry) =>
  useQuery({ ...foundUsersQuery({ q, segment, offset }), placeholderData: keepPreviousData })

function Count({ entry }: FoundUsersProps) {
  const { data, isPending } = useFound(entry)
  if (data) return text.found(data.total ?? undefined, data.atLeast === true)
  return isPending && text.searching
}

function Rows(props: FoundUsersProps) {
  const { entry, change, intent, onIntent, behind, preferences, takeArrival, onLeave } = props
  const { data, error, refetch, isFetching, isPlaceholderData } = useFound(entry)
  const navigate = useNavigate()
  const q = data?.q ?? ''
  const mark = useCallback((value: string) => <Highlight text={value} query={q} />, [q])

  useEffect(() => {
    if (intent === undefined || isPlaceholderData || isFetching) return
    onIntent(undefined)
    const certain = data && data.similar !== true ? certainOne(data.users, entry.q) : undefined
    if (error) void refetch()
    else if (intent === 'open' && certain) {
      onLeave(certain.id)
      void navigate(links.user(certain.id))
    } else focusFirstRow()
  })

  if (error) return <Failed error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (!data) return behind
  if (data.users.length === 0 && entry.offset === '')
    return <Nobody q={q} segment={entry.segment} onClear={() => change({ text: '', q: '', ...firstPage })} />

  const isMore = data.atLeast === true
  const counted = { ...data, total: isMore ? undefined : data.total }
  const { first, previous, next, range } = position(counted, entry, entry)
  const go = (step: Step | undefined) =>
    step &&
    (() => {
      change({ offset: step.offset, visited: step.state.visited })
      window.scrollTo(0, 0)
    })
  return (
    <>
      {data.similar === true && <p className={classes.similar}>{text.similar(q)}</p>}
      <MarkContext value={mark}>
        <UserTable
          rows={data.users}
          preferences={preferences}
          // Otherwise nothing in the row would say why it is there.
          alsoColumn={data.users.some(({ id }) => id.startsWith(q.toLowerCase())) ? 'id' : undefined}
          pending={isPlaceholderData}
          takeArrival={takeArrival}
          onLeave={onLeave}
        />
      </MarkContext>
      {(first || previous || next) && (
        <Pager
          {...range}
          total={counted.total ?? undefined}
          onFirst={go(first)}
          onPrevious={go(previous)}
          onNext={go(next)}
          pending={isPlaceholderData}
        />
      )}
    </>
  )
}

/** The user who is meant beyond doubt: the only one found, or the one who has this very e-mail, ref or id. */
function certainOne(users: readonly User[], q: string): User | undefined {
  const [first] = users
  if (!first || users.length === 1) return first
  const isSame = (value: string | null | undefined) => value?.toLowerCase() === q.toLowerCase()
  return isSame(first.email) || isSame(first.ref) || isSame(first.id) ? first : undefined
}

interface FailedProps {
  readonly error: Error
  readonly retrying: boolean
  readonly onRetry: () => void
}

function Failed({ error, ...retry }: FailedProps) {
  return <InlineFailure title={text.failed.title} error={error} own={{ kept: text.failed.kept }} {...retry} />
}

interface NobodyProps {
  readonly q: string
  readonly segment: string
  readonly onClear: () => void
}

/** Found nobody: what was searched, and what else can be tried. */
function Nobody({ q, segment, onClear }: NobodyProps) {
  const { title, body, segmentBody, clear } = text.nothing
  return (
    <EmptyState
      title={title(q)}
      action={
        segment === '' ? (
          <Button variant="default" onClick={onClear}>
            {clear}
          </Button>
        ) : (
          <EverywhereLink>{text.nothing.everywhere}</EverywhereLink>
        )
      }
    >
      {segment === '' ? body : segmentBody}
    </EmptyState>
  )
}

/** To all users, with the text that is searched for. */
export function EverywhereLink({ children }: { readonly children: string }) {
  const { key } = useLocation()
  return (
    <Button variant="default" component={Link} to={links.users()} state={{ listEntry: key }}>
      {children}
    </Button>
  )
}
