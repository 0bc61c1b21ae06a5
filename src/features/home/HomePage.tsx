import { Box, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconPin } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { useDenied, usePerson } from '../../auth/use-session.ts'
import { batchText, homeText, userText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import classes from './HomePage.module.css'
import { ChangesTile } from './ChangesTile.tsx'
import { listWithText } from '../../domain/user-list/list-state.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { links } from '../../domain/links.ts'
import { isOpen, jobsQuery } from '../../domain/queries/jobs.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { EmptyTile, Tile, TileLine } from './Tile.tsx'
import { usePins } from '../../domain/people/pins.ts'
import { useRecent } from '../../domain/people/recent.ts'
import { peopleQuery } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { WithAvatar } from '../../ui/Avatar.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { actorsOfTodayQuery, lastChangesQuery } from './queries.ts'
import { eventProperty, whatHappened } from '../../domain/changes/what-happened.ts'
import { segmentHistoryQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { Trend } from '../../domain/segments/Trend.tsx'
import { number } from '../../messages/format.ts'
import { q } from '../../api/index.ts'
import { needsAttention } from '../../domain/webhooks/health.ts'
import { HealthMark, StoppedNote } from '../../domain/webhooks/HealthMark.tsx'
import { webhookName } from '../../domain/webhooks/names.ts'
import { hint } from '../../ui/Hint.tsx'

export function HomePage() {
  const sees = {
    events: useDenied('events:read') === undefined,
    webhooks: useDenied('webhooks:manage') === undefined,
    sensitive: useDenied('sensitive:read') === undefined,
    jobs: useDenied('users:read', 'entities:read', 'entities:write') === undefined,
    segments: useDenied('segments:read') === undefined,
    people: useDenied('users:read') === undefined,
  }
  // Support staff look people up all day, so they see the tiles about people first; operators see those last.
  const looksUp = sees.people && !sees.webhooks && !sees.sensitive
  const people = (
    <>
      {sees.people && <UsersTile />}
      {sees.people && sees.events && <OwnChangesTile />}
    </>
  )
  return (
    <>
      <PageHeader title={homeText.title} />
      {sees.people && <HomeSearch />}
      <div className={classes.tiles}>
        {looksUp && people}
        {sees.events && <ChangesTile />}
        {sees.webhooks && <WebhooksTile />}
        {sees.sensitive && <SensitiveTile />}
        {sees.jobs && <JobsTile />}
        {sees.segments && <SegmentsTile />}
        {!looksUp && people}
      </div>
    </>
  )
}

function HomeSearch() {
  const [text, setText] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Box maw={560} pb="lg">
      <SearchInput
        box={box}
        aria-label={userText.search.label}
        placeholder={userText.search.placeholder}
        clearLabel={userText.search.clear}
        value={text}
        onChange={setText}
        enterKeyHint="search"
        onKeyDown={({ key, nativeEvent }) => {
          // Enter that confirms an IME composition must not start the search.
          if (key !== 'Enter' || nativeEvent.isComposing || text.trim() === '') return
          const { to, state } = listWithText(client, text)
          void navigate(to, { state })
        }}
      />
    </Box>
  )
}

const jobsTileText = homeText.jobs
const shownJobs = 5

function JobsTile() {
  const read = useQuery(jobsQuery())
  return (
    <Tile title={jobsTileText.title} all={{ to: links.batch(), label: jobsTileText.all }} read={read}>
      {(jobs) =>
        jobs.length === 0 ? (
          <EmptyTile>{jobsTileText.none}</EmptyTile>
        ) : (
          <ul className={classes.list}>
            {jobs.slice(0, shownJobs).map((job) => (
              <TileLine
                key={job.id}
                aside={
                  <>
                    <JobState job={job} />
                    <span className="ds-dimmed">
                      {isOpen(job) ? jobsTileText.progress(job) : <Timestamp value={job.created} />}
                    </span>
                  </>
                }
              >
                <Link to={links.batchJob(job.id)}>
                  {batchText.job.what({ property: keyLabel(job.set.key), entity: job.set.entity })}
                </Link>
              </TileLine>
            ))}
          </ul>
        )
      }
    </Tile>
  )
}

const usersTileText = homeText.people

function UsersTile() {
  const pinned = usePins().ids
  const opened = useRecent().filter(({ kind, id }) => kind === 'user' && !pinned.includes(id))
  const ids = [...pinned, ...opened.map(({ id }) => id)]
  const read = useQuery(peopleQuery(ids))
  return (
    <Tile
      title={usersTileText.title}
      all={{ to: links.users(), label: usersTileText.all }}
      read={ids.length === 0 ? { ...read, data: [] } : read}
    >
      {(people) =>
        people.length === 0 ? (
          <EmptyTile>{usersTileText.none}</EmptyTile>
        ) : (
          <ul className={classes.list}>
            {people.map((person) => {
              const name = nameOf(person)
              return (
                <TileLine key={person.id} aside={<PinMark isPinned={pinned.includes(person.id)} />}>
                  <Link to={links.user(person.id)}>
                    <WithAvatar id={person.id} name={name}>
                      <span dir="auto">{name ?? userText.noName}</span>
                    </WithAvatar>
                  </Link>
                </TileLine>
              )
            })}
          </ul>
        )
      }
    </Tile>
  )
}

function PinMark({ isPinned }: { readonly isPinned: boolean }) {
  return (
    <Group component="span" gap={4} c="dimmed">
      {isPinned && <IconPin size={14} stroke={1.75} aria-hidden />}
      {isPinned ? usersTileText.pinned : usersTileText.opened}
    </Group>
  )
}

const sensitiveTileText = homeText.sensitive
const shownActors = 5

/**
 * Tile with the actors who accessed sensitive values today, and the number of users concerned. Unusual activity comes
 * first.
 */
function SensitiveTile() {
  const read = useQuery(actorsOfTodayQuery())
  return (
    <Tile
      title={sensitiveTileText.title}
      all={{ to: links.audit(), label: sensitiveTileText.all }}
      read={read}
    >
      {({ from, actors }) =>
        actors.length === 0 ? (
          <EmptyTile>{sensitiveTileText.none}</EmptyTile>
        ) : (
          <ul className={classes.list}>
            {actors.slice(0, shownActors).map(({ actor, people, unusual }) => (
              <TileLine
                key={actor}
                aside={
                  <>
                    {unusual && (
                      <StateMark tone="warning">
                        <IconAlertTriangle size={12} stroke={2} aria-hidden /> {sensitiveTileText.unusual}
                      </StateMark>
                    )}
                    <span className="ds-dimmed">{sensitiveTileText.people({ count: people })}</span>
                  </>
                }
              >
                <Link to={links.audit({ actor, from })} dir="auto">
                  {actor}
                </Link>
              </TileLine>
            ))}
          </ul>
        )
      }
    </Tile>
  )
}

const ownText = homeText.own
const shownChanges = 6

function OwnChangesTile() {
  const { subject } = usePerson()
  const read = useQuery(lastChangesQuery())
  const own = (read.data ?? []).filter((event) => eventProperty(event, 'actor') === subject)
  const latest = own.filter(
    (event, index) =>
      own.findIndex((other) => eventProperty(other, 'user') === eventProperty(event, 'user')) === index,
  )
  const shown = latest.slice(0, shownChanges)
  const { data: people = [] } = useQuery(
    peopleQuery(shown.flatMap((event) => eventProperty(event, 'user') ?? [])),
  )
  return (
    <Tile title={ownText.title} all={{ to: links.events(), label: homeText.changes.all }} read={read}>
      {() =>
        shown.length === 0 ? (
          <EmptyTile>{ownText.none}</EmptyTile>
        ) : (
          <ul className={classes.list}>
            {shown.map((event) => {
              const id = eventProperty(event, 'user')
              const person = people.find((each) => each.id === id)
              const name = person && (nameOf(person) ?? userText.noName)
              const what = whatHappened(event, { changeset: undefined, entityTypes: undefined })
              return (
                <TileLine key={event.id} aside={<Timestamp value={event.eventtime} />}>
                  {name !== undefined && id !== undefined && (
                    <>
                      <Link to={links.user(id)} dir="auto">
                        {name}
                      </Link>{' '}
                    </>
                  )}
                  <span className={name === undefined ? undefined : 'ds-dimmed'}>{what}</span>
                </TileLine>
              )
            })}
          </ul>
        )
      }
    </Tile>
  )
}

const segmentsTileText = homeText.segments

function SegmentsTile() {
  const { ids } = usePins('segments')
  const read = useQuery(segmentsQuery())
  const { data: histories } = useQuery({
    ...segmentHistoryQuery(read.data ?? []),
    enabled: ids.length > 0,
  })
  return (
    <Tile
      title={segmentsTileText.title}
      all={{ to: links.segments(), label: segmentsTileText.all }}
      read={read}
    >
      {(segments) => {
        const pinned = ids.flatMap((id) => segments.find((each) => each.id === id) ?? [])
        if (pinned.length === 0) return <EmptyTile>{segmentsTileText.none}</EmptyTile>
        return (
          <ul className={classes.list}>
            {pinned.map((segment) => {
              const { id, total } = segment
              const sizes = histories?.find((history) => history.id === id)?.sizes ?? []
              return (
                <TileLine
                  key={id}
                  aside={
                    <>
                      {sizes.length > 1 && <Trend sizes={sizes} />}
                      {typeof total === 'number' ? (
                        number(total)
                      ) : (
                        <span className="ds-dimmed">{segmentsTileText.counting}</span>
                      )}
                    </>
                  }
                >
                  <Link to={links.segment(id)} dir="auto">
                    {segmentName(segment)}
                  </Link>
                </TileLine>
              )
            })}
          </ul>
        )
      }}
    </Tile>
  )
}

const webhooksText = homeText.webhooks
const webhooksTilePollMs = 30_000
const whole = { whiteSpace: 'normal' } as const

function WebhooksTile() {
  const read = useQuery({ ...q('listSubscriptions'), refetchInterval: webhooksTilePollMs })
  return (
    <Tile title={webhooksText.title} all={{ to: links.webhooks(), label: webhooksText.all }} read={read}>
      {(webhooks) => {
        const ailing = webhooks.filter(needsAttention)
        if (webhooks.length === 0) return <EmptyTile>{webhooksText.none}</EmptyTile>
        if (ailing.length === 0)
          return <EmptyTile>{webhooksText.working({ count: webhooks.length })}</EmptyTile>
        return (
          <ul className={classes.list}>
            {ailing.map((webhook) => (
              <TileLine
                key={webhook.id}
                aside={
                  <>
                    {webhook.waiting > 0 && (
                      <span className="ds-dimmed">{webhooksText.waiting({ count: webhook.waiting })}</span>
                    )}
                    <HealthMark subscription={webhook} />
                  </>
                }
              >
                <Link to={links.webhook(webhook.id)} {...hint(webhook.url)}>
                  {webhookName(webhook)}
                </Link>
                {webhook.description && (
                  <Text c="dimmed" fz="xs" pb={4} dir="auto" style={whole}>
                    {webhook.description}
                  </Text>
                )}
                {webhook.disabled && (
                  <Text c="dimmed" fz="xs" pb={4} style={whole}>
                    <StoppedNote disabled={webhook.disabled} />
                  </Text>
                )}
              </TileLine>
            ))}
          </ul>
        )
      }}
    </Tile>
  )
}
