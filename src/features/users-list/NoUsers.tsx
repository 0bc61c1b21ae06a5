import { Button } from '@mantine/core'
import { flushSync } from 'react-dom'
import { Link, useLocation, useSearchParams } from 'react-router'

import { ApiError, isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { userListText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { focusAddCondition } from './filters/AddCondition.tsx'
import { NewUserButton } from './NewUserButton.tsx'
import { scanLabel } from './ScanProgress.tsx'
import type { useUserList } from './use-user-list.ts'

type List = ReturnType<typeof useUserList>

/** Content in place of the rows when there are none. */
export function NoUsers({ list }: { readonly list: List }) {
  const { state, segment, entry } = list
  const words = useSearchedWords()
  if (state.is === 'coming') return null
  if (state.is === 'listed') return <NobodyListed segment={segment} />
  if (state.is === 'unread') return <Unread {...state} isRetrying={list.isRetrying} />
  if (state.is === 'unknown id') return <UnknownId list={list} {...state} />
  if (state.is === 'scanned') {
    const { none, everywhere } = userListText.scan
    return (
      <EmptyState
        title={(entry.scan?.phase === 'done' ? none.title : none.soFar)(entry.q)}
        action={segment !== '' && <EverywhereLink>{everywhere}</EverywhereLink>}
      >
        {none.body}
      </EmptyState>
    )
  }
  const { everywhere, clear, ...filtered } = userListText.nothing
  if (list.marked === '')
    return (
      <EmptyState
        title={filtered.conditionsTitle}
        action={
          <Button
            variant="default"
            onClick={() => {
              flushSync(() => list.show({ conditions: [] }))
              focusAddCondition()
            }}
          >
            {filtered.clearConditions}
          </Button>
        }
      >
        {segment === '' ? filtered.conditionsBody : filtered.conditionsSegmentBody}
      </EmptyState>
    )
  return (
    <EmptyState
      title={words.title(list.marked)}
      action={
        segment === '' ? (
          <Button variant="default" onClick={() => list.search.onChange('')}>
            {clear}
          </Button>
        ) : (
          <EverywhereLink>{everywhere}</EverywhereLink>
        )
      }
    >
      {segment === '' ? words.body : words.segmentBody}
    </EmptyState>
  )
}

/** Texts for a search without results; they name what was searched, since not everyone searches property values too. */
function useSearchedWords() {
  const hasValues = useDenied('entities:read') === undefined && isFull()
  const { title, body, segmentBody, valuesTitle, valuesBody, segmentValuesBody } = userListText.nothing
  return hasValues
    ? { title: valuesTitle, body: valuesBody, segmentBody: segmentValuesBody }
    : { title, body, segmentBody }
}

function NobodyListed({ segment }: { readonly segment: string }) {
  const [address] = useSearchParams()
  const { list } = userListText
  if (address.has('offset'))
    return (
      <EmptyState
        title={list.emptyPageTitle}
        action={<Link to={links.users({ segment })}>{list.firstPage}</Link>}
      >
        {list.emptyPageBody}
      </EmptyState>
    )
  if (segment !== '')
    return (
      <EmptyState
        title={list.emptySegmentTitle}
        action={
          <Button variant="default" component={Link} to={links.segment(segment)}>
            {list.showSegment}
          </Button>
        }
      >
        {list.emptySegmentBody}
      </EmptyState>
    )
  return (
    <EmptyState title={list.emptyTitle} action={<NewUserButton />}>
      {list.emptyBody}
    </EmptyState>
  )
}

/** Page for an outdated address: the service does not know its segment or its offset, or no longer does. */
export function OutdatedList({ missing, segment }: { missing: 'segment' | 'offset'; segment: string }) {
  const { list } = userListText
  return missing === 'segment' ? (
    <EmptyState
      title={list.segmentGoneTitle}
      action={
        <Button component={Link} to={links.users()}>
          {list.allUsers}
        </Button>
      }
    >
      {list.segmentGoneBody}
    </EmptyState>
  ) : (
    <EmptyState
      title={list.offsetGoneTitle}
      action={
        <Button component={Link} to={links.users({ segment })}>
          {list.firstPage}
        </Button>
      }
    >
      {list.offsetGoneBody}
    </EmptyState>
  )
}

interface FailedProps {
  readonly error: Error
  readonly retry: () => void
}

function Unread({ error, retry, isRetrying }: FailedProps & { readonly isRetrying: boolean }) {
  const { title, kept } = userListText.failed
  return <InlineFailure title={title} error={error} own={{ kept }} onRetry={retry} retrying={isRetrying} />
}

function UnknownId({ error, retry, list }: FailedProps & { readonly list: List }) {
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        title={userListText.id.noneTitle}
        action={
          <Button variant="default" onClick={list.scanInstead}>
            {scanLabel(list)}
          </Button>
        }
      >
        {userListText.id.noneBody}
      </EmptyState>
    )
  return (
    <InlineFailure
      title={userListText.id.failedTitle}
      error={error}
      own={{ kept: userListText.failed.kept }}
      onRetry={retry}
      retrying={list.isRetrying}
    />
  )
}

/** Link that repeats the search among all users. */
function EverywhereLink({ children }: { readonly children: string }) {
  const { key } = useLocation()
  return (
    <Button variant="default" component={Link} to={links.users()} state={{ listEntry: key }}>
      {children}
    </Button>
  )
}
