import { useQuery } from '@tanstack/react-query'
import { IconPin } from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { useRecent } from '../../domain/people/recent.ts'
import { peopleQuery } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { homeText, userText } from '../../messages/index.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import classes from './HomePage.module.css'
import { Line, Quiet, Tile } from './Tile.tsx'

const text = homeText.people

/** Whom this person has pinned, and opened lately. */
export function PeopleTile() {
  const pinned = usePins().ids
  const opened = useRecent().filter(({ kind, id }) => kind === 'user' && !pinned.includes(id))
  const ids = [...pinned, ...opened.map(({ id }) => id)]
  const read = useQuery(peopleQuery(ids))
  return (
    <Tile
      title={text.title}
      all={{ to: links.users(), words: text.all }}
      read={ids.length === 0 ? { ...read, data: [] } : read}
    >
      {(people) =>
        people.length === 0 ? (
          <Quiet>{text.none}</Quiet>
        ) : (
          <ul className={classes.list}>
            {people.map((person) => {
              const name = nameOf(person)
              return (
                <Line key={person.id} aside={<Why isPinned={pinned.includes(person.id)} />}>
                  <Link to={links.user(person.id)} className={classes.person}>
                    <Avatar id={person.id} name={name} />
                    <span dir="auto">{name ?? userText.noName}</span>
                  </Link>
                </Line>
              )
            })}
          </ul>
        )
      }
    </Tile>
  )
}

function Why({ isPinned }: { readonly isPinned: boolean }) {
  return (
    <span className={`ds-dimmed ${classes.why}`}>
      {isPinned && <IconPin size={14} stroke={1.75} aria-hidden />}
      {isPinned ? text.pinned : text.opened}
    </span>
  )
}
