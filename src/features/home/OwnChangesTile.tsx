import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { Link } from 'react-router'

import type { Event, LookedUpChangeset, LookedUpUser } from '#contract/index.ts'
import { useDenied, usePerson } from '../../auth/use-session.ts'
import { eventProperty, describeEvent } from '../../domain/changes/what-happened.ts'
import { eventTypeName } from '../../domain/event-type-name.ts'
import { kindName } from '../../domain/jobs/job-name.ts'
import { jobOfEvent } from '../../domain/jobs/result.ts'
import { links } from '../../domain/links.ts'
import { peopleQuery } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { changedKeysQuery } from '../../domain/queries/changesets.ts'
import { UndoButton } from '../../domain/restoring/UndoButton.tsx'
import { homeText, userText } from '../../messages/index.ts'
import { instantMs } from '../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { lastChangesQuery } from './queries.ts'
import { Tile, TileLine } from './Tile.tsx'

const ownText = { ...homeText.own, all: homeText.changes.all }
const shownChanges = 6

export function OwnChangesTile() {
  const read = useQuery(lastChangesQuery(usePerson().subject))
  const mayChanges = useDenied('users:read', 'entities:read') === undefined
  const latest = (read.data ?? []).slice(0, shownChanges)
  const idsOf = (name: string) => [...new Set(latest.flatMap((event) => eventProperty(event, name) ?? []))]
  const { data: people = [] } = useQuery(peopleQuery(idsOf('user')))
  const { data: changes = [] } = useQuery(changedKeysQuery(mayChanges ? idsOf('changeset') : []))
  return (
    <Tile text={ownText} to={links.events()} read={read}>
      {() =>
        latest.map((event) => (
          <OwnChange
            key={event.id}
            event={event}
            person={people.find(({ id }) => id === eventProperty(event, 'user'))}
            changeset={changes.find(({ id }) => id === eventProperty(event, 'changeset'))}
          />
        ))
      }
    </Tile>
  )
}

interface OwnChangeProps {
  readonly event: Event
  readonly person: LookedUpUser | undefined
  readonly changeset: LookedUpChangeset | undefined
}

function OwnChange({ event, person, changeset }: OwnChangeProps) {
  const { service } = use(ZonesContext)
  const job = jobOfEvent(event)
  const timeMs = instantMs(event.eventtime, service) ?? 0
  const name = person && (nameOf(person) ?? userText.noName)
  const what = job
    ? (job.result ?? eventTypeName(event.type) ?? event.type)
    : describeEvent(event, {
        changeset: changeset && {
          ...changeset,
          entity: eventProperty(event, 'entity'),
          time: new Date(timeMs).toISOString(),
        },
        entityTypes: undefined,
      })
  const about = job ? (kindName(job.kind) ?? job.kind) : name
  return (
    <TileLine
      aside={
        <>
          <UndoButton {...{ event, changeset }} change={about === undefined ? what : `${about}: ${what}`} />
          <span className="ds-dimmed">
            <Timestamp value={event.eventtime} />
          </span>
        </>
      }
    >
      {about !== undefined && (
        <>
          <Link to={job ? links.job(job.id) : links.user(person?.id ?? '')} dir="auto">
            {about}
          </Link>
          {' · '}
        </>
      )}
      <span className={about === undefined ? undefined : 'ds-dimmed'}>{what}</span>
    </TileLine>
  )
}
