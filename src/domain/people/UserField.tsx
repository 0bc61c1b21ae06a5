import { Input } from '@mantine/core'
import { useId } from 'react'

import { usePeople } from './use-people.ts'
import { nameOf } from './user-fields.ts'
import { isUserId, UserSuggest } from './UserSuggest.tsx'

interface UserFieldProps {
  readonly label: string
  /** Id of a user, or a search text. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (typed: string) => void
  readonly onChoose: (id: string) => void
}

/** Input that filters by user: by name if the service can search, otherwise by id. Shows the name below an id. */
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
