import { Group } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from 'react-router'

import { type ApiError, offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { newUserText } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userQuery } from '../../domain/queries/users.ts'
import { givenFields, nameOf, type UserValues } from '../../domain/people/user-fields.ts'
import { NotSaved } from '../../domain/people/UserForm.tsx'

export interface NotCreatedProps {
  readonly error: ApiError
  readonly values: UserValues
}

/** Why no user was created, or that nobody knows; above the form, which keeps what was typed. */
export function NotCreated({ error, values }: NotCreatedProps) {
  if (error.code === 'two_matches') return <TwoMatches error={error} />
  if (!error.outcomeUnknown) return <NotSaved error={error} />
  const isMatched = givenFields(values).some((field) => field === 'email' || field === 'ref')
  if (isMatched) return <InlineFailure title={newUserText.lostTitle}>{newUserText.lostSafe}</InlineFailure>
  if (offers('idempotency'))
    return <InlineFailure title={newUserText.lostTitle}>{newUserText.lostRecognised}</InlineFailure>
  return (
    <InlineFailure title={newUserText.lostTitle}>
      <p>{newUserText.lostUnsafe}</p>
      <Group component="p" gap="4px 16px" mt={4} fw={500}>
        <Link to={links.users()} target="_blank">
          {newUserText.toListElsewhere}
        </Link>
      </Group>
    </InlineFailure>
  )
}

function TwoMatches({ error }: { readonly error: ApiError }) {
  // Who cannot be read (now, or by the caller) is a link all the same.
  const users = useQueries({ queries: error.users.map((id) => userQuery(id)) })
  return (
    <InlineFailure
      title={newUserText.twoMatchesTitle}
      error={error}
      own={{ codes: { two_matches: newUserText.twoMatchesBody } }}
    >
      <Group component="p" gap="4px 16px" mt={4} fw={500}>
        {error.users.map((id, index) => {
          const user = users[index]?.data?.user
          return (
            <Link key={id} to={links.user(id)}>
              {newUserText.openMatch(user && nameOf(user), index)}
            </Link>
          )
        })}
      </Group>
    </InlineFailure>
  )
}
