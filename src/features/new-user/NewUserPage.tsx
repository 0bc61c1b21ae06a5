import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { ApiError, type Written, keyedWrites } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { blankValues, bodyOf, givenFields, type UserValues } from '../../domain/people/user-fields.ts'
import { UserForm } from '../../domain/people/UserForm.tsx'
import { BackToList, listAddress } from '../../domain/user-list/BackToList.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { newUserText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { DetailsSection, useDetails } from './DetailsSection.tsx'
import { ExistingUser } from './ExistingUser.tsx'
import { MadeUser } from './MadeUser.tsx'
import { MatchedUser } from './MatchedUser.tsx'
import { NotCreated } from './NotCreated.tsx'
import { createUser } from './queries.ts'
import { planDetails } from './user-details.ts'

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
 * follow once the user is made, or once somebody has seen what they would do to the one who was there.
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
  const [made, setMade] = useState<{ id: string; values: UserValues; error: ApiError }>()

  const open = (userId: string, message: string) => {
    showToast({ message })
    void navigate(links.user(userId), { replace: true, state: nothingToLose })
  }
  const save = async (values: UserValues) => {
    const details = await ready()
    if (!details) return
    setMatch(undefined)
    const written = await create.mutateAsync(bodyOf(values, givenFields(values)))
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
        return () => setMade({ id, values, error })
      }
    return () => open(id, newUserText.created)
  }
  const cancel = () => {
    const { to, state } = listAddress(client)
    void navigate(to, { state })
  }

  if (made)
    return (
      <MadeUser {...made} section={section} onDone={open}>
        <DetailsSection section={section} />
      </MadeUser>
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
