import { Box } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useLoaderData, useLocation, useParams } from 'react-router'
import { type ReactNode, useId, useRef } from 'react'

import { userEditText, userPageText, userText, valueText } from '../../messages/index.ts'
import { hasPage, links } from '../../domain/links.ts'
import { ListSteps } from './ListSteps.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { IdentityCard, isAbout } from './IdentityCard.tsx'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { PutAway } from '../../domain/put-away/PutAway.tsx'
import { NoSuchUser } from '../../domain/people/NoSuchUser.tsx'
import { userQuery } from '../../domain/queries/users.ts'
import type { UserLoad } from '../../domain/loading.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { KeepEdits } from '../../domain/writing/kept-edits.tsx'
import { UserActions } from './UserActions.tsx'
import { Beside, type BesideProps, UserLayout } from './UserLayout.tsx'
import classes from './UserTabs.module.css'
import { type Entity, isDataType, type Property, type PropertyValue, readValue } from '#contract/index.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { userSegmentsQuery } from '../../domain/queries/segments.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { preferencePhase } from '../../domain/values/preference-phase.ts'
import { fewOf } from '../../ui/show-more.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { Timestamp, useNowMs } from '../../ui/Timestamp.tsx'
import { useCameNear } from '../../ui/use-came-near.ts'
import knownFactsClasses from './KnownFacts.module.css'

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
        actions={<UserActions user={user} recordsDeletions={hasPage('deletionReceipt')} />}
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
            <Beside userId={userId} label={userPageText.side.timeline} Timeline={Timeline} />
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

/**
 * Tabs of a user's page. Each has its own URL, so that it can be shared, reloaded and returned to. The record, which
 * is reached through the menu, has a tab only while it is open.
 */
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

/**
 * Shows the consents of the user. An entity that does not fit the type is omitted here; its own rows show the problem.
 */
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

function consentsOf({ id, type, properties }: Entity) {
  return properties.filter(isPreference).map(({ key, value }, index) => ({
    id: `${id} ${index}`,
    name: keyLabel(type === 'person' ? key : `${type}.${key}`),
    consent: value as PropertyValue['PREFERENCE'],
  }))
}

function isPreference({ type, value, sensitive }: Property): boolean {
  return sensitive !== true && isDataType(type) && type === 'PREFERENCE' && !readValue(type, value).issues
}

/** Shows the segments that contain the user. Requested only once this part is on the screen. */
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
