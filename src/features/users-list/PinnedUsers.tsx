import { Button } from '@mantine/core'
import { IconPin } from '@tabler/icons-react'
import { Link } from 'react-router'

import { offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { userListText, userText } from '../../messages/index.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { hint } from '../../ui/Hint.tsx'
import classes from './PinnedUsers.module.css'

/** For more there is room on no screen: all of them are in what finds anything. */
const shownPins = 6

/** In the line of the title, where the page has room: the rows below stay where they are. */
export function PinnedUsers({ ids }: { readonly ids: readonly string[] }) {
  // Where each is read by itself, no more than are shown.
  const people = usePeople(offers('users.lookup') ? ids : ids.slice(0, shownPins))
  if (people.length === 0) return null
  return (
    <div className={classes.root}>
      <IconPin size={15} stroke={1.75} aria-hidden />
      <ul className={classes.list} aria-label={userListText.pinned}>
        {people.slice(0, shownPins).map((person) => {
          const name = nameOf(person)
          return (
            <li key={person.id}>
              <Button
                component={Link}
                to={links.user(person.id)}
                variant="subtle"
                color="gray"
                px={6}
                leftSection={<Avatar id={person.id} name={name} />}
              >
                <span className={classes.name} dir="auto" {...hint(name)}>
                  {name ?? userText.noName}
                </span>
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
