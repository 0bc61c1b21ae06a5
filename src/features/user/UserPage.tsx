import { Box } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useLoaderData, useLocation, useNavigate, useParams } from 'react-router'
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

import { listStepsText, userEditText, userPageText, userText, valueText } from '../../messages/index.ts'
import { hasPage, links } from '../../domain/links.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { IdentityCard, isAbout } from './IdentityCard.tsx'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { PutAway } from '../../domain/put-away/PutAway.tsx'
import { NoSuchUser } from '../../domain/people/NoSuchUser.tsx'
import { userQuery, type UsersAsked, type UsersPage, usersQuery } from '../../domain/queries/users.ts'
import type { UserLoad } from '../../domain/page-route.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { KeepEdits } from '../../domain/writing/kept-edits.tsx'
import { UserActions } from './UserActions.tsx'
import { Beside, type BesideProps, UserLayout } from './UserLayout.tsx'
import classes from './UserTabs.module.css'
import { type Entity, type PropertyValue, readValue } from '#contract/index.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { userSegmentsQuery } from '../../domain/queries/segments.ts'
import { labelWithType } from '../../domain/values/property-label.ts'
import { preferencePhase } from '../../domain/values/preference-phase.ts'
import { fewOf } from '../../ui/show-more.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { Timestamp, useNowMs } from '../../ui/Timestamp.tsx'
import { useCameNear } from '../../ui/use-came-near.ts'
import knownFactsClasses from './UserPage.module.css'
import { usePerson } from '../../auth/use-session.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { singleKeyOf } from '../../ui/keys/shortcut.ts'
import {
  askedAt,
  type ListPlace,
  placeState,
  recallPlace,
  rememberPlace,
} from '../../domain/user-list/list-state.ts'
import listStepsClasses from './ListSteps.module.css'
import { nextOffset } from '../../domain/user-list/user-pages.ts'

export interface UserPageProps {
  readonly Timeline: BesideProps['Timeline']
}

export function UserPage({ Timeline }: UserPageProps) {
  const { userId = '' } = useParams()
  const { exists } = useLoaderData<UserLoad>()
  if (!exists) return <NoSuchUser />
  // The key resets the page for another user, so that no dialog or input carries over.
  return <ExistingUser key={userId} userId={userId} Timeline={Timeline} />
}

function ExistingUser({ userId, Timeline }: UserPageProps & { readonly userId: string }) {
  const { pathname } = useLocation()
  const { data, isRefetchError, isFetching, refetch } = useSuspenseQuery(userQuery(userId))
  const { user, etag } = data
  const name = nameOf(user)
  return (
    <>
      <PageHeader
        above={
          <>
            <BackToList />
            <ListSteps userId={userId} />
          </>
        }
        mark={<Avatar id={user.id} name={name} size={32} />}
        title={name ?? <span className="ds-dimmed">{userText.noName}</span>}
        actions={<UserActions user={user} />}
      />
      {isRefetchError && (
        <Box pb={16}>
          <InlineFailure
            title={userEditText.user.outdatedTitle}
            onRetry={() => void refetch()}
            retrying={isFetching}
          >
            {userEditText.user.outdatedBody}
          </InlineFailure>
        </Box>
      )}
      <UserLayout
        identity={<IdentityCard user={user} etag={etag} />}
        more={
          <PutAway>
            <Consents userId={userId} />
            {hasPage('userSegments') && pathname !== links.userSegments(userId) && (
              <SegmentChips userId={userId} />
            )}
          </PutAway>
        }
        beside={
          // Hidden on the tab that shows the whole timeline.
          hasPage('userActivity') &&
          pathname !== links.userActivity(userId) && (
            <Beside userId={userId} label={sideText.timeline} Timeline={Timeline} />
          )
        }
      >
        <KeepEdits staysAt={(address) => isAbout(userId, address)}>
          <UserTabs userId={userId} pathname={pathname} />
          <Box pt={16} pb={32}>
            <PutAway>
              <Outlet />
            </PutAway>
          </Box>
        </KeepEdits>
      </UserLayout>
    </>
  )
}

/** Tabs of a user's page, each with a URL of its own. The record has one only while it is open, from the menu. */
function UserTabs({ userId, pathname }: { readonly userId: string; readonly pathname: string }) {
  const tabs = {
    entities: links.user(userId),
    activity: links.userActivity(userId),
    ...(hasPage('userSegments') && { segments: links.userSegments(userId) }),
    ...(pathname === links.userRecord(userId) && { record: pathname }),
  }
  const others = new Set([tabs.activity, tabs.segments, tabs.record])
  return (
    <nav aria-label={userPageText.tabs.label} className={classes.root}>
      <ul className={classes.list}>
        {Object.entries(tabs).map(([name, to]) => {
          // The entities have URLs below the user's own, so every page that is no other tab counts as theirs.
          const isOpen = name === 'entities' ? !others.has(pathname) : to === pathname
          return (
            <li key={name} data-tab={name}>
              <Link
                to={to}
                preventScrollReset
                aria-current={isOpen ? 'page' : undefined}
                className={classes.tab ?? ''}
              >
                {userPageText.tabs[name as keyof typeof tabs]}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const sideText = userPageText.side

function FactsSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={knownFactsClasses.title}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Consents of the user, except sensitive ones. Those without a value, or with one that is no consent, are shown in the entity alone. */
function Consents({ userId }: { readonly userId: string }) {
  const { data: all = [] } = useQuery(entitiesQuery(userId))
  const nowMs = useNowMs()
  const consents = all.flatMap(consentsOf)
  if (consents.length === 0) return null
  return (
    <FactsSection title={sideText.consents}>
      <ul className={knownFactsClasses.list}>
        {consents.map(({ id, name, consent }) => {
          const phase = preferencePhase(consent, nowMs)
          const isGranted = phase === 'current' && consent.status === 'GRANTED'
          return (
            <li key={id}>
              <StateMark tone={isGranted ? 'success' : undefined}>{name}</StateMark>
              <span className={knownFactsClasses.state}>
                <ConsentState consent={consent} phase={phase} />
              </span>
            </li>
          )
        })}
      </ul>
    </FactsSection>
  )
}

interface ConsentStateProps {
  readonly consent: PropertyValue['PREFERENCE']
  readonly phase: ReturnType<typeof preferencePhase>
}

function ConsentState({ consent: { status, statusDate, expires }, phase }: ConsentStateProps) {
  if (phase !== 'current')
    return valueText[phase][status].withElements({
      moment: <Timestamp value={phase === 'ended' ? expires : statusDate} mode="date" />,
    })
  return (
    <>
      {valueText.status[status]}
      {statusDate !== undefined && (
        <>
          {' · '}
          <Timestamp value={statusDate} />
        </>
      )}
    </>
  )
}

function consentsOf({ id, type: entityType, properties }: Entity) {
  return properties.flatMap(({ key, type, value, sensitive }, index) => {
    if (sensitive === true || type !== 'PREFERENCE') return []
    if (value === null || readValue(type, value).issues) return []
    const name = labelWithType(entityType, key)
    return [{ id: `${id} ${index}`, name, consent: value as PropertyValue['PREFERENCE'] }]
  })
}

/** Shows the segments that contain the user. Requested only once this part is on or near the screen. */
function SegmentChips({ userId }: { readonly userId: string }) {
  const element = useRef<HTMLDivElement>(null)
  const isNear = useCameNear(element)
  const { data } = useQuery({ ...userSegmentsQuery(userId), enabled: isNear })
  const memberships = data?.filter(({ member }) => member === true)
  const shown = fewOf(memberships ?? [], 8)
  return (
    <div ref={element} className={knownFactsClasses.segments}>
      {memberships && (
        <FactsSection title={sideText.segments}>
          <ul className={knownFactsClasses.chips}>
            {shown.map(({ id, name }) => (
              <li key={id}>
                <Link to={links.segment(id)} dir="auto" className={knownFactsClasses.chip ?? ''}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
          {memberships.length === 0 && <p className="ds-dimmed">{sideText.none}</p>}
          <Link to={links.userSegments(userId)} className={knownFactsClasses.all ?? ''}>
            {describeWhy(memberships.length, shown.length)}
          </Link>
        </FactsSection>
      )}
    </div>
  )
}

function describeWhy(count: number, shown: number): string {
  const { none, all, more } = sideText.why
  if (count === 0) return none
  return count > shown ? more({ count }) : all
}

/** Buttons for the previous and next user of the list that this page was opened from: "‹ 12 of 8,031 ›". */
function ListSteps({ userId }: { readonly userId: string }) {
  const client = useQueryClient()
  const { state } = useLocation()
  const { subject } = usePerson()
  const { place = recallPlace(client, userId) } = (state ?? {}) as {
    readonly place?: ListPlace
  }
  useEffect(() => {
    if (place) rememberPlace(client, userId, place)
  }, [client, userId, place])
  const asked = place && askedAt(client, place, subject)
  return asked ? <NeighbourLinks key={userId} userId={userId} place={place} asked={asked} /> : null
}

interface NeighbourLinksProps {
  readonly userId: string
  readonly place: ListPlace
  readonly asked: UsersAsked
}

function NeighbourLinks({ userId, place, asked }: NeighbourLinksProps) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { at, before, total, previous, next } = useNeighbours(userId, place, asked)
  // Moving to another user keeps the current tab.
  const tab = /\/(activity|segments|record)$/.exec(pathname)?.[0] ?? ''
  const go = (to: Neighbour | undefined) =>
    to && (() => void navigate(links.user(to.id) + tab, { state: placeState(to.place) }))
  const press = useEffectEvent((event: KeyboardEvent) => {
    const step = { '[': go(previous), ']': go(next) }[singleKeyOf(event) ?? '']
    if (!step || event.defaultPrevented) return
    event.preventDefault()
    step()
  })
  // A layout effect registers the keys before the buttons are visible, so that no key press is lost.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  if (at === undefined) return null
  const button = (label: string, to: Neighbour | undefined, key: string, Icon: typeof IconChevronLeft) => (
    <IconButton
      size="small"
      aria-label={label}
      {...hint(label, key)}
      aria-disabled={to === undefined}
      data-disabled={to === undefined || undefined}
      onClick={go(to)}
    >
      <Icon size={15} stroke={1.75} aria-hidden />
    </IconButton>
  )
  return (
    <fieldset aria-label={listStepsText.label} className={listStepsClasses.root}>
      {button(describeStep('previous', previous), previous, '[', IconChevronLeft)}
      {before !== undefined && <span>{describePlace(before + at + 1, total)}</span>}
      {button(describeStep('next', next), next, ']', IconChevronRight)}
    </fieldset>
  )
}

function describeStep(step: 'previous' | 'next', to: Neighbour | undefined): string {
  const { nameless, named } = listStepsText[step]
  return to?.name === undefined ? nameless : named({ name: to.name })
}

function describePlace(place: number, total: number | undefined): string {
  return total === undefined ? listStepsText.place({ place }) : listStepsText.placeOf({ place, total })
}

interface Neighbour {
  readonly id: string
  readonly name: string | undefined
  readonly place: ListPlace
}

/** Page of the list as it was when it was left: a list that somebody steps through must not change under them. */
function useStablePage(asked: UsersAsked, enabled = true) {
  const stable = { enabled, staleTime: Infinity, refetchOnWindowFocus: false }
  return useQuery({ ...usersQuery(asked), ...stable }).data
}

/** Returns this user's position in the list, and the users before and after, who may be on adjacent pages. */
function useNeighbours(userId: string, place: ListPlace, asked: UsersAsked) {
  const { offset, visited } = place
  const page = useStablePage(asked)
  const users = page?.users ?? []
  const found = users.findIndex(({ id }) => id === userId)
  // A changed user may have dropped out of the list; the next user has then moved up to that position.
  const [last, setLast] = useState(found)
  if (found !== -1 && found !== last) setLast(found)
  const at = found === -1 ? last : found
  const isGone = found === -1
  const nextAt = isGone ? at : at + 1

  const earlier = visited.at(-1)
  const isFirst = at === 0 && earlier !== undefined
  const before = useStablePage({ ...asked, offset: earlier?.offset }, isFirst)
  const later = page && nextOffset(page, new Set([...visited.map((each) => each.offset), offset]))
  const isLast = page !== undefined && nextAt >= users.length && later !== undefined
  const after = useStablePage({ ...asked, offset: later }, isLast)

  const neighbour = (user: UsersPage['users'][number] | undefined, where: ListPlace): Neighbour | undefined =>
    user && { id: user.id, name: nameOf(user), place: where }
  const isCounted = offset === '' || visited[0]?.offset === ''
  return {
    at: page === undefined || at === -1 ? undefined : at,
    /** Number of users on the previous pages; undefined if unknown. */
    before: isCounted ? visited.reduce((sum, { rows }) => sum + rows, 0) : undefined,
    total: page?.atLeast === true ? undefined : (page?.total ?? undefined),
    previous: isFirst
      ? neighbour(before?.users.at(-1), { ...place, offset: earlier.offset, visited: visited.slice(0, -1) })
      : neighbour(at > 0 ? users[at - 1] : undefined, place),
    next: isLast
      ? neighbour(after?.users[0], {
          ...place,
          offset: later,
          visited: [...visited, { offset, rows: users.length }],
        })
      : neighbour(users[nextAt], place),
  }
}
