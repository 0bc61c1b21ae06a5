import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { flushSync } from 'react-dom'
import { Link, useLocation, useSearchParams } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { userListText, userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { focusAddCondition } from './filters/AddCondition.tsx'
import { scanLabel } from './ScanProgress.tsx'
import type { UserListView } from './use-user-list.ts'

const { nothing } = userListText

/** Content in place of the rows when there are none. */
export function NoUsers({ view }: { readonly view: UserListView }) {
  const { content, segment } = view
  const searchText = useSearchText(view.isSearchable)
  if (content.is === 'coming') return null
  if (content.is === 'listed') return <NobodyListed segment={segment} />
  if (content.is === 'unread') return <SearchFailure {...content} isRetrying={view.isRetrying} />
  if (content.is === 'unknown id') return <UnknownId view={view} {...content} />
  if (content.is === 'scanned') {
    const { none } = userListText.scan
    return (
      <EmptyState
        title={(view.list.local?.scan.phase === 'done' ? nothing.title : none.soFar)(view.marked)}
        action={segment !== '' && <EverywhereLink />}
      >
        {none.body}
      </EmptyState>
    )
  }
  if (view.marked === '')
    return (
      <EmptyState
        title={nothing.conditionsTitle}
        action={
          <Button
            variant="default"
            onClick={() => {
              flushSync(() => view.show({ conditions: [] }))
              focusAddCondition()
            }}
          >
            {nothing.clearConditions}
          </Button>
        }
      >
        {segment === '' ? nothing.conditionsBody : nothing.conditionsSegmentBody}
      </EmptyState>
    )
  return (
    <EmptyState
      title={nothing.title(view.marked)}
      action={
        segment === '' ? (
          <Button variant="default" onClick={() => view.box.onChange('')}>
            {nothing.clear}
          </Button>
        ) : (
          <EverywhereLink />
        )
      }
    >
      {segment === '' ? searchText.body : searchText.segmentBody}
    </EmptyState>
  )
}

/** Texts for a search without results; they name what was searched, since not everyone searches property values too. */
function useSearchText(isSearchable: boolean) {
  const hasValues = useDenied('entities:read') === undefined && isSearchable
  const { body, segmentBody, valuesBody, segmentValuesBody } = nothing
  return hasValues ? { body: valuesBody, segmentBody: segmentValuesBody } : { body, segmentBody }
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

export interface ListLoad {
  /** Part of the address that the service does not know, or no longer knows. */
  readonly missing: 'segment' | 'offset' | undefined
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

function SearchFailure({ error, retry, isRetrying }: FailedProps & { readonly isRetrying: boolean }) {
  const { title, kept } = userListText.failed
  return <InlineFailure title={title} error={error} own={{ kept }} onRetry={retry} retrying={isRetrying} />
}

function UnknownId({ error, retry, view }: FailedProps & { readonly view: UserListView }) {
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        title={userListText.id.noneTitle}
        action={
          <Button variant="default" onClick={view.scanInstead}>
            {scanLabel(view)}
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
      retrying={view.isRetrying}
    />
  )
}

/** Link that repeats the search among all users. */
function EverywhereLink() {
  const { key } = useLocation()
  return (
    <Button variant="default" component={Link} to={links.users()} state={{ listEntry: key }}>
      {nothing.everywhere}
    </Button>
  )
}

export function NewUserButton() {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button component={Link} to={links.newUser()} leftSection={<IconPlus size={15} />}>
        {userText.create.action}
      </Button>
    </DisabledReason>
  )
}
