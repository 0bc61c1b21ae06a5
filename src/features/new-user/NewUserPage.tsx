import { Group, Text } from '@mantine/core'
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { emailKey } from '#contract/index.ts'
import { ApiError, keyedWrites, isFull, q, type Written } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import {
  asSent,
  blankValues,
  userBody,
  givenFields,
  nameOf,
  type UserFieldName,
  type UserValues,
} from '../../domain/people/user-fields.ts'
import { NotSaved } from '../../domain/people/NotSaved.tsx'
import { UserForm } from '../../domain/people/UserForm.tsx'
import { useFindsUsers } from '../../domain/people/UserSuggest.tsx'
import { BackToList, listAddress } from '../../domain/user-list/BackToList.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { newUserText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { DetailsSection, useDetails } from './DetailsSection.tsx'
import { CreatedUser } from './CreatedUser.tsx'
import { MatchedUser } from './MatchedUser.tsx'
import { createUser } from './queries.ts'
import { planDetails } from './user-details.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userQuery } from '../../domain/queries/users.ts'

export function NewUserPage() {
  const denied = useDenied('users:write')
  return (
    <>
      <PageHeader above={<BackToList />} title={newUserText.title} />
      {denied === undefined ? <NewUser /> : <EmptyState title={denied} underHeading />}
    </>
  )
}

/**
 * Makes a user, or leads to the one who matches. Details are never sent along, since a match would take them too: they
 * follow once the user is created, or once somebody has seen what they would do to the one who was there.
 */
function NewUser() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [write] = useState(keyedWrites)
  const create = useMutation(createUser(write))
  const section = useDetails()
  const { ready, perform } = section
  const [match, setMatch] = useState<Written>()
  /** Made by this page, with details that are still to follow. */
  const [created, setCreated] = useState<{ id: string; values: UserValues; error: ApiError }>()

  const open = (userId: string, message: string) => {
    showToast({ message })
    void navigate(links.user(userId), { replace: true, state: nothingToLose })
  }
  const save = async (values: UserValues) => {
    const details = await ready()
    if (!details) return
    setMatch(undefined)
    const written = await create.mutateAsync(userBody(values, givenFields(values)))
    const { id, outcome } = written
    if (outcome !== 'created' || id === undefined) {
      setMatch(written)
      return details.length === 0 ? 'stays' : undefined
    }
    if (details.length > 0)
      try {
        await perform(id, await planDetails(id, details))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return () => setCreated({ id, values, error })
      }
    return () => open(id, newUserText.created)
  }
  const cancel = () => {
    const { to, state } = listAddress(client)
    void navigate(to, { state })
  }

  if (created)
    return (
      <CreatedUser {...created} section={section} onDone={open}>
        <DetailsSection section={section} />
      </CreatedUser>
    )
  return (
    <UserForm
      layout="column"
      initial={blankValues}
      needsChange={false}
      submit={() => newUserText.submit}
      onSave={save}
      onCancel={cancel}
      Failure={NotCreated}
      Below={ExistingUser}
      more={<DetailsSection section={section} />}
    >
      {match && <MatchedUser id={match.id} section={section} onDone={open} />}
    </UserForm>
  )
}

const existsText = newUserText.exists

/** A pause that is none between two letters. */
const existsDebounceMs = 400

interface ExistingUserProps {
  readonly name: UserFieldName
  readonly value: string
}

/**
 * Says beside a field who has its e-mail or ref already, where the service can search. Only a word ahead: the service
 * decides once the user is to be created.
 */
function ExistingUser({ name, value }: ExistingUserProps) {
  const typed = asSent(name, value)
  const settled = useDebouncedValue(typed, existsDebounceMs)
  const isPossible = useFindsUsers()
  const isWhole =
    name === 'email' ? /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(settled) : name === 'ref' && settled !== ''
  const { data } = useQuery({
    ...q('searchUsers', {
      body: { ...(name === 'email' ? { email: settled } : { ref: settled }), match: 'exact' },
    }),
    // Read while the field is being typed, and not kept.
    gcTime: 0,
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
      {same &&
        existsText[name === 'email' ? 'email' : 'ref'].withElements({
          name: nameOf(same) ?? existsText.noName,
          link: (
            <Link to={links.user(same.id)} style={{ textDecoration: 'underline' }}>
              {existsText.open}
            </Link>
          ),
        })}
    </Text>
  )
}

interface NotCreatedProps {
  readonly error: ApiError
  readonly values: UserValues
}

/** Notice above the form: why no user was created, or that the outcome is unknown. The form keeps its input. */
function NotCreated({ error, values }: NotCreatedProps) {
  if (error.code === 'two_matches') return <TwoMatches error={error} />
  if (!error.outcomeUnknown) return <NotSaved error={error} />
  const isMatched = givenFields(values).some((field) => field === 'email' || field === 'ref')
  if (isMatched) return <InlineFailure title={newUserText.lostTitle}>{newUserText.lostSafe}</InlineFailure>
  if (isFull())
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
  // A user who cannot be read, for now or by this caller, still gets a link.
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
          const name = user && nameOf(user)
          return (
            <Link key={id} to={links.user(id)}>
              {name === undefined
                ? newUserText.openNameless[index === 0 ? 'first' : 'second']
                : newUserText.openMatch({ name })}
            </Link>
          )
        })}
      </Group>
    </InlineFailure>
  )
}
