import { Box, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconPin } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { useDenied, usePerson } from '../../auth/use-session.ts'
import { batchText, homeText, userText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import classes from './HomePage.module.css'
import { listWithText } from '../../domain/user-list/list-state.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { JobState } from '../../domain/jobs/JobState.tsx'
import { links } from '../../domain/links.ts'
import { isOpen, jobsQuery } from '../../domain/queries/jobs.ts'
import { propertyLabel } from '../../domain/values/property-label.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { Tile, TileLine } from './Tile.tsx'
import { usePins } from '../../domain/people/pins.ts'
import { useRecent } from '../../domain/people/recent.ts'
import { peopleQuery } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { WithAvatar } from '../../ui/Avatar.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import {
  type ActivityDay,
  type ActivityKind,
  activityKinds,
  actorsOfTodayQuery,
  lastChangesQuery,
  twoDaysQuery,
} from './queries.ts'
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
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Box maw={560} pb="lg">
      <SearchInput
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

const changesText = homeText.changes

interface ActivityRow {
  readonly kind: ActivityKind
  readonly today: ActivityDay
  readonly yesterday: ActivityDay
}

function ChangesTile() {
  const { shown } = use(ZonesContext)
  const read = useQuery(twoDaysQuery(shown))
  return (
    <Tile text={changesText} to={links.events()} read={read}>
      {({ today, yesterday }) => {
        const kinds = (Object.keys(today.counts) as ActivityKind[]).filter(
          (kind) => today.counts[kind] + yesterday.counts[kind] > 0,
        )
        if (kinds.length === 0) return []
        return (
          <DataTable
            label={changesText.title}
            columns={activityColumns}
            rows={kinds.map((kind) => ({ kind, today, yesterday }))}
            rowKey={({ kind }) => kind}
            empty={null}
          />
        )
      }}
    </Tile>
  )
}

const activityColumns: readonly Column<ActivityRow>[] = [
  { id: 'what', header: changesText.columns.what, cell: ({ kind }) => changesText.kinds[kind] },
  ...(['today', 'yesterday'] as const).map((day): Column<ActivityRow> => ({
    id: day,
    header: changesText.columns[day],
    width: '96px',
    align: 'end',
    narrow: 'labelled',
    cell: (row) => <EventCount {...row[day]} kind={row.kind} day={changesText.columns[day]} />,
  })),
]

interface EventCountProps extends ActivityDay {
  readonly kind: ActivityKind
  readonly day: string
}

function EventCount({ kind, day, counts, from, to }: EventCountProps) {
  const count = counts[kind]
  if (count === 0) return <span className="ds-dimmed">0</span>
  const filter = kind === 'failed' ? { delivery: 'failed' } : { type: activityKinds[kind].join(',') }
  return (
    <Link
      to={links.events({ ...filter, from, to })}
      aria-label={changesText.events({ kind: changesText.kinds[kind], day, count })}
    >
      {number(count)}
    </Link>
  )
}

const jobsText = homeText.jobs
const shownJobs = 5

function JobsTile() {
  return (
    <Tile text={jobsText} to={links.batch()} read={useQuery(jobsQuery())}>
      {(jobs) =>
        jobs.slice(0, shownJobs).map((job) => (
          <TileLine
            key={job.id}
            aside={
              <>
                <JobState job={job} />
                <span className="ds-dimmed">
                  {isOpen(job) ? jobsText.progress(job) : <Timestamp value={job.created} />}
                </span>
              </>
            }
          >
            <Link to={links.batchJob(job.id)}>
              {batchText.job.what({
                property: propertyLabel(job.set.entity, job.set.key),
                entity: job.set.entity,
              })}
            </Link>
          </TileLine>
        ))
      }
    </Tile>
  )
}

const usersText = homeText.people

function UsersTile() {
  const pinned = usePins().ids
  const opened = useRecent().filter(({ kind, id }) => kind === 'user' && !pinned.includes(id))
  const ids = [...pinned, ...opened.map(({ id }) => id)]
  const read = useQuery(peopleQuery(ids))
  return (
    <Tile text={usersText} to={links.users()} read={ids.length === 0 ? { ...read, data: [] } : read}>
      {(people) =>
        people.map((person) => {
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
        })
      }
    </Tile>
  )
}

function PinMark({ isPinned }: { readonly isPinned: boolean }) {
  return (
    <Group component="span" gap={4} c="dimmed">
      {isPinned && <IconPin size={14} stroke={1.75} aria-hidden />}
      {isPinned ? usersText.pinned : usersText.opened}
    </Group>
  )
}

const sensitiveText = homeText.sensitive
const shownActors = 5

/**
 * Tile with the actors who accessed sensitive values today, and the number of users concerned. Unusual activity comes
 * first.
 */
function SensitiveTile() {
  return (
    <Tile text={sensitiveText} to={links.audit()} read={useQuery(actorsOfTodayQuery())}>
      {({ from, actors }) =>
        actors.slice(0, shownActors).map(({ actor, people, unusual }) => (
          <TileLine
            key={actor}
            aside={
              <>
                {unusual && (
                  <StateMark tone="warning">
                    <IconAlertTriangle size={12} stroke={2} aria-hidden /> {sensitiveText.unusual}
                  </StateMark>
                )}
                <span className="ds-dimmed">{sensitiveText.people({ count: people })}</span>
              </>
            }
          >
            <Link to={links.audit({ actor, from })} dir="auto">
              {actor}
            </Link>
          </TileLine>
        ))
      }
    </Tile>
  )
}

const ownText = { ...homeText.own, all: homeText.changes.all }
const shownChanges = 6

function OwnChangesTile() {
  const { subject } = usePerson()
  const read = useQuery(lastChangesQuery())
  const own = (read.data ?? []).filter((event) => eventProperty(event, 'actor') === subject)
  const users = own.map((event) => eventProperty(event, 'user'))
  const latest = own.filter((_, index) => users.indexOf(users[index]) === index).slice(0, shownChanges)
  const { data: people = [] } = useQuery(
    peopleQuery(latest.flatMap((event) => eventProperty(event, 'user') ?? [])),
  )
  return (
    <Tile text={ownText} to={links.events()} read={read}>
      {() =>
        latest.map((event) => {
          const person = people.find((each) => each.id === eventProperty(event, 'user'))
          return (
            <TileLine key={event.id} aside={<Timestamp value={event.eventtime} />}>
              {person && (
                <>
                  <Link to={links.user(person.id)} dir="auto">
                    {nameOf(person) ?? userText.noName}
                  </Link>{' '}
                </>
              )}
              <span className={person && 'ds-dimmed'}>
                {whatHappened(event, { changeset: undefined, entityTypes: undefined })}
              </span>
            </TileLine>
          )
        })
      }
    </Tile>
  )
}

const segmentsText = homeText.segments

function SegmentsTile() {
  const { ids } = usePins('segments')
  const read = useQuery(segmentsQuery())
  const { data: histories } = useQuery({
    ...segmentHistoryQuery(read.data ?? []),
    enabled: ids.length > 0,
  })
  return (
    <Tile text={segmentsText} to={links.segments()} read={read}>
      {(segments) =>
        ids
          .flatMap((id) => segments.find((each) => each.id === id) ?? [])
          .map((segment) => {
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
                      <span className="ds-dimmed">{segmentsText.counting}</span>
                    )}
                  </>
                }
              >
                <Link to={links.segment(id)} dir="auto">
                  {segmentName(segment)}
                </Link>
              </TileLine>
            )
          })
      }
    </Tile>
  )
}

const webhooksText = homeText.webhooks
const webhooksTilePollMs = 30_000
const note = { c: 'dimmed', fz: 'xs', pb: 4, style: { whiteSpace: 'normal' } } as const

function WebhooksTile() {
  const read = useQuery({ ...q('listSubscriptions'), refetchInterval: webhooksTilePollMs })
  const count = read.data?.length ?? 0
  const none = count === 0 ? webhooksText.none : webhooksText.working({ count })
  return (
    <Tile text={{ ...webhooksText, none }} to={links.webhooks()} read={read}>
      {(webhooks) =>
        webhooks.filter(needsAttention).map((webhook) => (
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
              <Text {...note} dir="auto">
                {webhook.description}
              </Text>
            )}
            {webhook.disabled && (
              <Text {...note}>
                <StoppedNote disabled={webhook.disabled} />
              </Text>
            )}
          </TileLine>
        ))
      }
    </Tile>
  )
}
