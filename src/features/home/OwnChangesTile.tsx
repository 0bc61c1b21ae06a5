import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { usePerson } from '../../auth/use-session.ts'
import { eventProperty, describeEvent } from '../../domain/changes/what-happened.ts'
import { eventTypeName } from '../../domain/event-type-name.ts'
import { kindName } from '../../domain/jobs/job-name.ts'
import { jobOfEvent } from '../../domain/jobs/result.ts'
import { links } from '../../domain/links.ts'
import { peopleQuery } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { homeText, userText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { lastChangesQuery } from './queries.ts'
import { Tile, TileLine } from './Tile.tsx'

const ownText = { ...homeText.own, all: homeText.changes.all }
const shownChanges = 6

export function OwnChangesTile() {
  const { subject } = usePerson()
  const read = useQuery(lastChangesQuery())
  const own = (read.data ?? []).filter((event) => eventProperty(event, 'actor') === subject)
  const subjects = own.map((event) => eventProperty(event, 'user') ?? event.id)
  const latest = own
    .filter((_, index) => subjects.indexOf(subjects[index] ?? '') === index)
    .slice(0, shownChanges)
  const { data: people = [] } = useQuery(
    peopleQuery(latest.flatMap((event) => eventProperty(event, 'user') ?? [])),
  )
  return (
    <Tile text={ownText} to={links.events()} read={read}>
      {() =>
        latest.map((event) => {
          const job = jobOfEvent(event)
          if (job)
            return (
              <TileLine key={event.id} aside={<Timestamp value={event.eventtime} />}>
                <Link to={links.job(job.id)}>{kindName(job.kind) ?? job.kind}</Link>{' '}
                <span className="ds-dimmed">{job.result ?? eventTypeName(event.type)}</span>
              </TileLine>
            )
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
                {describeEvent(event, { changeset: undefined, entityTypes: undefined })}
              </span>
            </TileLine>
          )
        })
      }
    </Tile>
  )
}
