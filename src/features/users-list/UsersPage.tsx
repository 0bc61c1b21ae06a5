import { Box, Button, Group, Text } from '@mantine/core'
import { useViewportSize } from '@mantine/hooks'
import { IconPin, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Link, type LinkProps, useLoaderData, useLocation, useNavigate, useSearchParams } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { ConditionPopover } from '../../domain/filter-builder/ConditionPopover.tsx'
import { hasPage, links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import { type ListCondition, searchOf } from '../../domain/user-list/list-state.ts'
import { useSelection } from '../../domain/user-list/selection.ts'
import { type ListStore, useListState } from '../../domain/user-list/use-list-state.ts'
import type { ExportFrom } from '../../domain/user-list/user-pages.ts'
import { userListText, userText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ColumnMenu } from './ColumnMenu.tsx'
import { useListPreferences } from './columns.tsx'
import { SearchBox } from './SearchBox.tsx'
import { SelectionBar } from './Selection.tsx'
import { type ListPager, useComingList, type UserRows, useUserRows } from './use-user-rows.ts'
import { UserTable } from './UserTable.tsx'
import classes from './UsersPage.module.css'

const ListConditions = lazyPart(async () => (await import('./ListConditions.tsx')).ListConditions)

export interface ListLoad {
  /** Part of the URL that the service does not know (or no longer does). */
  readonly missing: 'segment' | 'offset' | undefined
}

export function UsersPage() {
  const { missing } = useLoaderData<ListLoad>()
  if (missing === undefined) return <UserList />
  return (
    <>
      <ListHead isSearch={false} />
      <OutdatedList missing={missing} />
    </>
  )
}

function UserList() {
  const box = useRef<HTMLInputElement>(null)
  const state = useListState()
  const found = useUserRows(state)
  const selection = useSelection(found.rows)
  const [preferences, choose] = useListPreferences()
  const { list, isFull } = state
  const { answer, rows, pager, isPending } = found
  const { conditions } = list
  const show = (next: readonly ListCondition[]) => state.dispatch({ is: 'show', view: { conditions: next } })
  const clearConditions = () => {
    flushSync(() => show([]))
    // The pressed button is gone with the last condition.
    document.querySelector<HTMLElement>('[data-add-condition]')?.focus()
  }
  const toBox = () => box.current?.focus()
  return (
    <>
      <ListHead isSearch={searchOf(list) !== undefined}>
        {isFull ? (
          <>
            <SearchBox {...{ box, state, found }} />
            <ConditionPopover
              onApply={(condition) => show([...conditions, condition])}
              face={
                <Button data-add-condition variant="default" leftSection={<IconPlus size={15} aria-hidden />}>
                  {userText.addCondition}
                </Button>
              }
            />
          </>
        ) : (
          <Text
            className={classes.search ?? ''}
            size="sm"
            c="dimmed"
            maw="none"
            style={{ alignSelf: 'center' }}
          >
            {userText.search.none}
          </Text>
        )}
        <div className={classes.total}>
          <Announced>{countText(list, found)}</Announced>
          <ColumnMenu isFull={isFull} preferences={preferences} onChange={choose} />
        </div>
      </ListHead>
      {conditions.length > 0 && (
        <ListConditions conditions={conditions} q={list.q} onChange={show} onClear={clearConditions} />
      )}
      {rows.length === 0 ? (
        <>
          <NoUsers state={state} found={found} onClearConditions={clearConditions} />
          {/* The selection stays visible even if the list has no rows. */}
          <SelectionBar {...{ state, found, selection }} onClear={toBox} />
        </>
      ) : (
        <>
          {answer?.similar === true && (
            <Text size="sm" c="dimmed" pb={8}>
              {userText.search.similar({ query: answer.q })}
            </Text>
          )}
          <UserTable {...{ state, found, selection, preferences }} onUp={toBox} />
        </>
      )}
      {pager && <ListPages pager={pager} pending={isPending} />}
    </>
  )
}

/** Returns the number of users listed or found, in words; undefined if it is unknown. */
function countText({ q, conditions }: ListStore['list'], { answer, query }: UserRows): string | undefined {
  const { found, foundMore, foundSome, searching } = userText.search
  const isSearch = q !== '' || conditions.length > 0
  if (answer === undefined || (answer.q !== '' || answer.isFiltered) !== isSearch)
    return isSearch && !query.error ? searching : undefined
  const { total, atLeast } = answer
  if (typeof total !== 'number') return isSearch ? foundSome : undefined
  if (!isSearch) return userText.total({ count: total })
  return (atLeast === true ? foundMore : found)({ total })
}

interface ListHeadProps {
  readonly isSearch: boolean
  /** Search controls; undefined if there is nothing to search. */
  readonly children?: ReactNode
}

/** Controls above the rows; they stay if there are no rows. */
function ListHead({ isSearch, children }: ListHeadProps) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const [address] = useSearchParams()
  const segment = (useComingList() ?? address).get('segment') ?? ''
  const denied = useDenied('users:write')
  // The export page finds the search by the key of this history entry, because the search text must not appear in a
  // URL.
  const from: ExportFrom = { listEntry: key, isSearch }
  return (
    <>
      <PageHeader
        title={userText.title}
        actions={
          <>
            <PinnedUsers />
            {hasPage('importUsers') && (
              <DisabledReason reason={denied}>
                <Button variant="default" component={Link} to={links.importUsers()}>
                  {userText.import}
                </Button>
              </DisabledReason>
            )}
            {hasPage('exportUsers') && (
              <Button variant="default" component={Link} to={links.exportUsers({ segment })} state={from}>
                {userText.export}
              </Button>
            )}
            <NewUserButton />
          </>
        }
      />
      <Group align="flex-start" gap="xs" pb={12}>
        <SegmentPicker
          value={segment}
          onChange={(next) => {
            // The new entry takes over the search of this one.
            if (next !== segment) void navigate(links.users({ segment: next }), { state: { listEntry: key } })
          }}
        />
        {children}
      </Group>
    </>
  )
}

function NewUserButton() {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button component={Link} to={links.newUser()} leftSection={<IconPlus size={15} />}>
        {userText.create.action}
      </Button>
    </DisabledReason>
  )
}

/** Widths of the window from which there is room for the first pinned user, the second and so on. */
const pinFromPx = [1060, 1060, 1200, 1330, 1440, 1600]

/** Pinned users, as many as fit beside the title, so that the rows below do not move; the search finds all of them. */
function PinnedUsers() {
  const { ids } = usePins()
  const { width } = useViewportSize()
  const people = usePeople(ids.slice(0, pinFromPx.filter((px) => px <= width).length))
  if (people.length === 0) return null
  return (
    <Group wrap="nowrap" gap={4} me={8} c="dimmed">
      <IconPin size={15} stroke={1.75} aria-hidden />
      <Group component="ul" wrap="nowrap" gap={2} m={0} p={0} aria-label={userListText.pinned}>
        {people.map((person) => {
          const name = nameOf(person)
          return (
            <Box key={person.id} component="li" maw={132}>
              <Button
                component={Link}
                to={links.user(person.id)}
                variant="subtle"
                color="gray"
                px={6}
                maw="100%"
                fw={400}
                leftSection={<Avatar id={person.id} name={name} />}
              >
                <Text span inherit truncate dir="auto" {...hint(name)}>
                  {name ?? userText.noName}
                </Text>
              </Button>
            </Box>
          )
        })}
      </Group>
    </Group>
  )
}

function ListPages({ pager, pending }: { readonly pager: ListPager; readonly pending: boolean }) {
  const { isWayBackUnknown, prefetchNext, ...steps } = pager
  return (
    <div onPointerOver={prefetchNext} onFocus={prefetchNext}>
      {isWayBackUnknown === true && (
        <Text size="sm" c="dimmed" ta="end" pt={12}>
          {userText.openedInside}
        </Text>
      )}
      <Pager {...steps} pending={pending} />
    </div>
  )
}

const { failed, list: listedText, nothing } = userListText

interface NoUsersProps {
  readonly state: ListStore
  readonly found: UserRows
  readonly onClearConditions: () => void
}

/** Tells why there are no rows, and leads on. */
function NoUsers({ state: { key, list, dispatch }, found, onClearConditions }: NoUsersProps) {
  const { answer, query } = found
  const { segment } = list
  const [address] = useSearchParams()
  // The text names what was searched, because only some roles can search property values.
  const hasValues = useDenied('entities:read') === undefined
  const isWhole = segment === ''
  if (searchOf(list) && query.error)
    return <QueryFailure title={failed.title} own={{ kept: failed.kept }} query={query} />
  if (!answer) return null
  if (answer.q !== '')
    return (
      <EmptyState
        title={nothing.title({ query: answer.q })}
        {...(isWhole
          ? { button: { label: nothing.clear, onClick: () => dispatch({ is: 'type', text: '' }) } }
          : { action: <WayOn to={links.users()} state={{ listEntry: key }} label={nothing.everywhere} /> })}
      >
        {isWhole
          ? nothing[hasValues ? 'valuesBody' : 'body']
          : nothing[hasValues ? 'segmentValuesBody' : 'segmentBody']}
      </EmptyState>
    )
  if (answer.isFiltered)
    return (
      <EmptyState
        title={nothing.conditionsTitle}
        button={{ label: nothing.clearConditions, onClick: onClearConditions }}
      >
        {isWhole ? nothing.conditionsBody : nothing.conditionsSegmentBody}
      </EmptyState>
    )
  if (address.has('offset'))
    return (
      <EmptyState
        title={listedText.emptyPageTitle}
        action={<Link to={links.users({ segment })}>{listedText.firstPage}</Link>}
      >
        {listedText.emptyPageBody}
      </EmptyState>
    )
  return isWhole ? (
    <EmptyState title={listedText.emptyTitle} action={<NewUserButton />}>
      {listedText.emptyBody}
    </EmptyState>
  ) : (
    <EmptyState
      title={listedText.emptySegmentTitle}
      action={<WayOn to={links.segment(segment)} label={listedText.showSegment} />}
    >
      {listedText.emptySegmentBody}
    </EmptyState>
  )
}

function WayOn({ label, ...link }: Pick<LinkProps, 'to' | 'state'> & { readonly label: string }) {
  return (
    <Button variant="default" component={Link} {...link}>
      {label}
    </Button>
  )
}

/** Page for an outdated address: the service does not know its segment or its offset, or no longer does. */
function OutdatedList({ missing }: { readonly missing: 'segment' | 'offset' }) {
  const [address] = useSearchParams()
  const isSegment = missing === 'segment'
  const to = links.users(isSegment ? {} : { segment: address.get('segment') ?? '' })
  return (
    <EmptyState
      title={isSegment ? listedText.segmentGoneTitle : listedText.offsetGoneTitle}
      action={
        <Button component={Link} to={to}>
          {isSegment ? listedText.allUsers : listedText.firstPage}
        </Button>
      }
    >
      {isSegment ? listedText.segmentGoneBody : listedText.offsetGoneBody}
    </EmptyState>
  )
}
