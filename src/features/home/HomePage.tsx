import { Box, Group } from '@mantine/core'
import { IconAlertTriangle, IconPin } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { batchText, homeText, userText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import classes from './HomePage.module.css'
import { ChangesTile } from './ChangesTile.tsx'
import { OwnChangesTile } from './OwnChangesTile.tsx'
import { SegmentsTile } from './SegmentsTile.tsx'
import { WebhooksTile } from './WebhooksTile.tsx'
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
import { actorsOfTodayQuery } from './queries.ts'

export function HomePage() {
  const sees = {
    events: useDenied('events:read') === undefined,
    webhooks: useDenied('webhooks:manage') === undefined,
    sensitive: useDenied('sensitive:read') === undefined,
    jobs: useDenied('users:read', 'entities:read', 'entities:write') === undefined,
    segments: useDenied('segments:read') === undefined,
    people: useDenied('users:read') === undefined,
  }
  // Support staff look people up all day, so their tiles come first; operators see what needs attention first.
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
