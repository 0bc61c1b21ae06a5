import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useLocation, useSearchParams } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { userListText, userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { clearConditions } from './filters/AddCondition.tsx'
import type { UserListView } from './use-user-list.ts'

const { failed, nothing } = userListText

export function NoUsers({ view }: { readonly view: UserListView }) {
  const { content, segment } = view
  switch (content.is) {
    case 'coming':
      return null
    case 'listed':
      return <NobodyListed segment={segment} />
    case 'unread':
      return <QueryFailure title={failed.title} own={{ kept: failed.kept }} query={content.query} />
    case 'found':
      return view.marked === '' ? <NobodyFiltered view={view} /> : <NobodyFound view={view} />
  }
}

function NobodyFound({ view }: { readonly view: UserListView }) {
  const { box, segment, marked } = view
  // The text names what was searched, because only some roles can search property values.
  const hasValues = useDenied('entities:read') === undefined
  const title = nothing.title({ query: marked })
  return segment === '' ? (
    <EmptyState title={title} button={{ label: nothing.clear, onClick: () => box.onChange('') }}>
      {hasValues ? nothing.valuesBody : nothing.body}
    </EmptyState>
  ) : (
    <EmptyState title={title} action={<EverywhereLink />}>
      {hasValues ? nothing.segmentValuesBody : nothing.segmentBody}
    </EmptyState>
  )
}

function NobodyFiltered({ view }: { readonly view: UserListView }) {
  const clear = () => clearConditions(() => view.show({ conditions: [] }))
  return (
    <EmptyState title={nothing.conditionsTitle} button={{ label: nothing.clearConditions, onClick: clear }}>
      {view.segment === '' ? nothing.conditionsBody : nothing.conditionsSegmentBody}
    </EmptyState>
  )
}

function NobodyListed({ segment }: { readonly segment: string }) {
  const [address] = useSearchParams()
  const { list } = userListText
  const firstPage = <Link to={links.users({ segment })}>{list.firstPage}</Link>
  if (address.has('offset'))
    return (
      <EmptyState title={list.emptyPageTitle} action={firstPage}>
        {list.emptyPageBody}
      </EmptyState>
    )
  const showSegment = (
    <Button variant="default" component={Link} to={links.segment(segment)}>
      {list.showSegment}
    </Button>
  )
  if (segment !== '')
    return (
      <EmptyState title={list.emptySegmentTitle} action={showSegment}>
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
  /** Part of the URL that the service does not know (or no longer does). */
  readonly missing: 'segment' | 'offset' | undefined
}

/** Page for an outdated address: the service does not know its segment or its offset, or no longer does. */
export function OutdatedList({ missing, segment }: { missing: 'segment' | 'offset'; segment: string }) {
  const { list } = userListText
  const isSegment = missing === 'segment'
  return (
    <EmptyState
      title={isSegment ? list.segmentGoneTitle : list.offsetGoneTitle}
      action={
        <Button component={Link} to={isSegment ? links.users() : links.users({ segment })}>
          {isSegment ? list.allUsers : list.firstPage}
        </Button>
      }
    >
      {isSegment ? list.segmentGoneBody : list.offsetGoneBody}
    </EmptyState>
  )
}

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
