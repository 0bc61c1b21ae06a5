import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'

import { usersPerPage } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { userList as text, users } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { MarkContext } from './columns.tsx'
import { EverywhereLink, type FoundUsersProps } from './FoundUsers.tsx'
import { firstPage } from './list-entry.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { maxMatches, notBegun, scan, type ScanState } from './scan.ts'
import { UserTable } from './UserTable.tsx'
import classes from './ScannedUsers.module.css'

/** Where the service offers no search: a user by id, or all pages of the segment gone through. */
export function ScannedUsers(props: FoundUsersProps) {
  if (props.part === 'count') return <Start {...props} />
  const { isId, segment, q } = props.entry
  return isId ? <ById {...props} /> : <Scanned key={`${segment} ${q}`} {...props} />
}

/** What can be done with the text that stands in the box. */
function Start({ entry, change, total }: FoundUsersProps) {
  const typed = entry.text.trim()
  if (typed === entry.q) return total !== undefined && users.total(total)
  const begin = (isId: boolean) => () => change({ q: typed, ...firstPage, isId })
  const start = entry.segment === '' ? text.scan.start : text.scan.startSegment
  return (
    <>
      {/* Never by itself for what may be a name or a customer's number: it would stand in the address of a request. */}
      {/^[\w-]*\d[\w-]*$/.test(typed) && (
        <Button variant="subtle" className={classes.openId ?? ''} onClick={begin(true)}>
          {text.scan.openId}
        </Button>
      )}
      <Button variant="light" onClick={begin(false)}>
        {start(total)}
      </Button>
    </>
  )
}

function ById({ entry, change, behind, total }: FoundUsersProps) {
  const navigate = useNavigate()
  const { data, error, refetch, isFetching } = useQuery(userQuery(entry.q))
  const isFound = data !== undefined
  const open = useEffectEvent(() => {
    // Back leads to the list, not here again.
    change({ q: '', ...firstPage })
    void navigate(links.user(entry.q))
  })
  useEffect(() => {
    if (isFound) open()
  }, [isFound])

  if (!error) return behind
  const scanInstead = (
    <Button variant="default" onClick={() => change(firstPage)}>
      {(entry.segment === '' ? text.scan.start : text.scan.startSegment)(total)}
    </Button>
  )
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState title={text.id.noneTitle} action={scanInstead}>
        {text.id.noneBody}
      </EmptyState>
    )
  return (
    <InlineFailure
      title={text.id.failedTitle}
      error={error}
      own={{ kept: text.failed.kept }}
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  )
}

function Scanned({ entry, change, preferences, takeArrival, onLeave }: FoundUsersProps) {
  const { q, segment, scan: state = notBegun } = entry
  const client = useQueryClient()
  const isRunning = state.status === 'running'
  const run = useEffectEvent((signal: AbortSignal) => {
    void scan(state, { segment, q, signal, onProgress: (next) => change({ scan: next }) })
  })
  useEffect(() => {
    if (!isRunning) return
    const leave = new AbortController()
    run(leave.signal)
    return () => leave.abort()
  }, [isRunning])
  const mark = useCallback((value: string) => <Highlight text={value} query={q} />, [q])

  const { matches, status } = state
  const from = Number(entry.offset)
  const to = Math.min(from + usersPerPage, matches.length)
  const go = (offset: number) => () => {
    change({ offset: String(offset) })
    window.scrollTo(0, 0)
  }
  // Somebody opened meanwhile has been read since.
  const rows = matches
    .slice(from, to)
    .map((user) => client.getQueryData(userQuery(user.id).queryKey)?.user ?? user)
  const goOn = () => change({ scan: { ...state, status: 'running' } })
  return (
    <>
      <Progress
        state={state}
        onStop={() => change({ scan: { ...state, status: 'stopped' } })}
        onGoOn={goOn}
      />
      {status === 'failed' && (
        <div className={classes.failure}>
          <InlineFailure
            title={text.scan.failedTitle}
            error={state.error}
            own={{ kept: text.scan.failedBody }}
            onRetry={goOn}
          />
        </div>
      )}
      {status === 'full' && <p className={classes.note}>{text.scan.full(maxMatches)}</p>}
      {matches.length === 0 ? (
        <EmptyState
          title={(status === 'done' ? text.scan.none.title : text.scan.none.soFar)(q)}
          action={segment !== '' && <EverywhereLink>{text.scan.everywhere}</EverywhereLink>}
        >
          {text.scan.none.body}
        </EmptyState>
      ) : (
        <MarkContext value={mark}>
          <UserTable rows={rows} preferences={preferences} takeArrival={takeArrival} onLeave={onLeave} />
        </MarkContext>
      )}
      {matches.length > usersPerPage && (
        <Pager
          from={from + 1}
          to={to}
          total={matches.length}
          onFirst={from > 0 ? go(0) : undefined}
          onPrevious={from > 0 ? go(from - usersPerPage) : undefined}
          onNext={to < matches.length ? go(to) : undefined}
        />
      )}
    </>
  )
}

interface ProgressProps {
  readonly state: ScanState
  readonly onStop: () => void
  readonly onGoOn: () => void
}

function Progress({ state: { status, searched, total, matches }, onStop, onGoOn }: ProgressProps) {
  const isDone = status === 'done'
  const part = isDone ? 1 : total === undefined || total === 0 ? 0 : Math.min(1, searched / total)
  const words = `${isDone ? text.scan.done(searched) : text.scan.searched(searched, total)} · ${text.scan.found(matches.length)}`
  return (
    <div className={classes.progress}>
      {!isDone && (
        <progress
          aria-label={text.scan.progress}
          aria-valuetext={words}
          value={part}
          className={classes.bar}
        />
      )}
      {/* Said once it ends, not with every page. */}
      <output aria-live={status === 'running' ? 'off' : 'polite'}>{words}</output>
      {status === 'running' && (
        <Button variant="default" onClick={onStop}>
          {text.scan.stop}
        </Button>
      )}
      {status === 'stopped' && (
        <Button variant="default" onClick={onGoOn}>
          {text.scan.goOn}
        </Button>
      )}
    </div>
  )
}
