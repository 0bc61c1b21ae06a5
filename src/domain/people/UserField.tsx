import { Input } from '@mantine/core'
import { useId } from 'react'

import { usePeople } from './use-people.ts'
import { nameOf } from './user-fields.ts'
import { isUserId, UserSuggest } from './UserSuggest.tsx'

export interface UserFieldProps {
  readonly label: string
  /** An id, or what somebody is looked for by. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (typed: string) => void
  readonly onChoose: (id: string) => void
}

/** Somebody by whom a list is filtered: found by name where the service finds users, else by id. Under an id stands whose it is. */
export function UserField({ label, value, error, onChange, onChoose }: UserFieldProps) {
  const noteId = useId()
  const id = value.trim()
  const [person] = usePeople(isUserId(id) ? [id] : [])
  const name = person && nameOf(person)
  return (
    <div>
      <Input.Label component="div" aria-hidden>
        {label}
      </Input.Label>
      <UserSuggest
        label={label}
        name="user"
        value={value}
        invalid={error !== undefined}
        describedBy={noteId}
        onChange={onChange}
        onChoose={(user) => onChoose(user.id)}
      />
      <div id={noteId}>
        {error !== undefined ? (
          <Input.Error component="div" mt={5}>
            {error}
          </Input.Error>
        ) : (
          name !== undefined && (
            <Input.Description component="div" mt={5}>
              <bdi>{name}</bdi>
            </Input.Description>
          )
        )}
      </div>
    </div>
  )
}
