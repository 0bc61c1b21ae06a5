import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { usePerson } from '../../auth/use-session.ts'
import { eventProperty, whatHappened } from '../../domain/changes/what-happened.ts'
import { links } from '../../domain/links.ts'
import { peopleQuery } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { homeText, userText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './HomePage.module.css'
import { lastChangesQuery } from './queries.ts'
import { EmptyTile, Tile, TileLine } from './Tile.tsx'

const ownText = homeText.own
const shownChanges = 6

export function OwnChangesTile() {
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
