import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import type { ApiError, Written } from '../../api/index.ts'
import { links } from '../../app/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { users as text } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { InlineFailure } from '../../ui/InlineFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BackToList, listAddress } from './list-address.tsx'
import { Notice } from './Notice.tsx'
import { createUser } from './queries.ts'
import { blankValues, bodyOf, givenFields, type UserValues } from './user-fields.ts'
import { UserForm } from './UserForm.tsx'
import classes from './UserForm.module.css'
import { WriteFailure } from './WriteFailure.tsx'

/** Makes a user, or leads to the one who matches. Properties are never sent along: a match would take them too. */
export function NewUserPage() {
  const navigate = useNavigate()
  const denied = useDenied('users:write')
  const create = useMutation(createUser())
  const [match, setMatch] = useState<Written>()

  const save = async (values: UserValues) => {
    setMatch(undefined)
    const written = await create.mutateAsync(bodyOf(values, givenFields(values)))
    const { id, outcome } = written
    if (outcome !== 'created' || id === undefined) return () => setMatch(written)
    return () => {
      showToast({ message: text.create.created })
      void navigate(links.user(id), { replace: true })
    }
  }
  const cancel = () => {
    const { to, state } = listAddress()
    void navigate(to, { state })
  }

  return (
    <>
      <PageHeader above={<BackToList />} title={text.create.title} />
      {denied === undefined ? (
        <UserForm
          layout="column"
          initial={blankValues}
          needsChange={false}
          submit={() => text.create.submit}
          onSave={save}
          onCancel={cancel}
          Failure={NotCreated}
        >
          {match && <Match {...match} />}
        </UserForm>
      ) : (
        <EmptyState title={denied} />
      )}
    </>
  )
}

function Match({ id }: Written) {
  const { existsTitle, existsBody, open, unknownIdTitle, unknownIdBody, toList } = text.create
  return id === undefined ? (
    <Notice title={unknownIdTitle} actions={<Link to={links.users()}>{toList}</Link>}>
      {unknownIdBody}
    </Notice>
  ) : (
    <Notice title={existsTitle} actions={<Link to={links.user(id)}>{open}</Link>}>
      {existsBody}
    </Notice>
  )
}

function NotCreated({ error, values }: { readonly error: ApiError; readonly values: UserValues }) {
  const { twoMatchesTitle, twoMatchesBody, openMatch, lostTitle, lostSafe, lostUnsafe } = text.create
  if (error.code === 'two_matches') {
    return (
      <InlineFailure title={twoMatchesTitle} requestId={error.requestId}>
        <p>{twoMatchesBody}</p>
        <p className={classes.matches}>
          {error.users.map((id, index) => (
            <Link key={id} to={links.user(id)}>
              {openMatch(index)}
            </Link>
          ))}
        </p>
      </InlineFailure>
    )
  }
  if (!error.outcomeUnknown) return <WriteFailure error={error} />
  const isMatched = givenFields(values).some((field) => field === 'email' || field === 'ref')
  return <InlineFailure title={lostTitle}>{isMatched ? lostSafe : lostUnsafe}</InlineFailure>
}
