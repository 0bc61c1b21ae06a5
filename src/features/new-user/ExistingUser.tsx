import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { emailKey } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { newUserText } from '../../messages/index.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { sameUsersQuery } from './queries.ts'
import { asSent, nameOf, type UserField } from '../../domain/people/user-fields.ts'

const text = newUserText.exists

/** A pause that is none between two letters. */
const settledMs = 400

export interface ExistingUserProps {
  readonly name: UserField
  readonly value: string
}

/**
 * Says beside a field who has its e-mail or ref already, where the service can search. Only a word ahead: the service
 * decides once the user is to be created.
 */
export function ExistingUser({ name, value }: ExistingUserProps) {
  const typed = asSent(name, value)
  const settled = useSettled(typed, settledMs)
  const isPossible = useDenied('users:read') === undefined && offers('users.search')
  const isWhole =
    name === 'email' ? /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(settled) : name === 'ref' && settled !== ''
  const { data } = useQuery({
    ...sameUsersQuery(name === 'email' ? { email: settled } : { ref: settled }),
    enabled: isPossible && isWhole && settled === typed,
  })
  // A search takes no heed of case, the matching of refs does.
  const same =
    settled === typed && isWhole
      ? data?.users.find((user) =>
          name === 'email' ? emailKey(user.email ?? '') === emailKey(typed) : user.ref === typed,
        )
      : undefined
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> would be shown in a line of its own
    <Text component="div" role="status" size="xs" mt={same ? 4 : 0}>
      {same && (
        <>
          {text[name === 'email' ? 'email' : 'ref']} {nameOf(same) ?? text.noName} ·{' '}
          <Link to={links.user(same.id)} style={{ textDecoration: 'underline' }}>
            {text.open}
          </Link>
        </>
      )}
    </Text>
  )
}
