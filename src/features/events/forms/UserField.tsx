import { Input } from '@mantine/core'
import { useId } from 'react'

import { usePeople } from '../../../domain/people/use-people.ts'
import { nameOf } from '../../../domain/people/user-fields.ts'
import { isUserId, useFindsUsers, UserSuggest } from '../../../domain/people/UserSuggest.tsx'
import { eventLogText } from '../../../messages/index.ts'

const text = eventLogText.filter

export interface UserFieldProps {
  /** An id, or what somebody is looked for by. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (typed: string) => void
  readonly onChoose: (id: string) => void
}

/** Whose events are shown: found by name where the service finds users, else by id. Under an id stands whose it is. */
export function UserField({ value, error, onChange, onChoose }: UserFieldProps) {
  const noteId = useId()
  const id = value.trim()
  const [person] = usePeople(isUserId(id) ? [id] : [])
  const name = person && nameOf(person)
  const label = useFindsUsers() ? text.anyUser : text.user
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
        onChoose={onChoose}
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
