import { Group } from '@mantine/core'
import { IconPin } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { useRecent } from '../../domain/people/recent.ts'
import { peopleQuery } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { homeText, userText } from '../../messages/index.ts'
import { WithAvatar } from '../../ui/Avatar.tsx'
import { Tile, TileLine } from './Tile.tsx'

const usersText = homeText.people

export function UsersTile() {
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
