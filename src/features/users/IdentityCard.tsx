import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { links } from '../../app/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { shared, users as text } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import classes from './IdentityCard.module.css'
import { patchUser, type UserWithoutInvitation } from './queries.ts'
import { bodyOf, emailOf, valuesOf } from './user-fields.ts'
import { UserForm } from './UserForm.tsx'
import { WriteFailure } from './WriteFailure.tsx'

interface IdentityCardProps {
  readonly user: UserWithoutInvitation
}

/** Who the user is, beside the name, which is the page's title; turns into a form in its place. */
export function IdentityCard({ user }: IdentityCardProps) {
  const [editing, setEditing] = useState(false)
  const patch = useMutation(patchUser(user.id))
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    // The form took the focus with it.
    if (wasEditing.current && !editing) editButton.current?.focus()
    wasEditing.current = editing
  }, [editing])

  return (
    <section aria-label={text.user.identity} className={classes.card}>
      {editing ? (
        <UserForm
          layout="row"
          initial={valuesOf(user)}
          needsChange
          submit={text.user.save}
          staysAt={(pathname) =>
            pathname === links.user(user.id) || pathname.startsWith(`${links.user(user.id)}/`)
          }
          onCancel={() => setEditing(false)}
          onSave={async (values, changed) => {
            await patch.mutateAsync(bodyOf(values, changed))
            return () => {
              setEditing(false)
              showToast({ message: text.user.saved })
            }
          }}
          Failure={WriteFailure}
        />
      ) : (
        <Details user={user} edit={<EditButton ref={editButton} onClick={() => setEditing(true)} />} />
      )}
    </section>
  )
}

function Details({ user, edit }: IdentityCardProps & { readonly edit: ReactNode }) {
  const email = emailOf(user)
  const ref = user.ref ?? ''
  return (
    <div className={classes.details}>
      <dl className={classes.list}>
        <Detail
          name={text.columns.email}
          copy={email !== undefined && <CopyButton value={email} label={text.user.copyEmail} />}
        >
          {email}
        </Detail>
        <Detail
          name={text.columns.ref}
          copy={ref !== '' && <CopyButton value={ref} label={text.user.copyRef} />}
        >
          {ref}
        </Detail>
        <Detail name={text.columns.since}>
          <Timestamp value={user.since} mode="exact" focusable />
        </Detail>
        <Detail name={text.columns.created}>
          <Timestamp value={user.created} mode="exact" focusable />
        </Detail>
      </dl>
      {edit}
    </div>
  )
}

interface DetailProps {
  readonly name: string
  /** Copies the value, where there is one. */
  readonly copy?: ReactNode
  readonly children: ReactNode
}

function Detail({ name, copy, children }: DetailProps) {
  return (
    <div className={classes.detail}>
      <dt className={classes.term}>{name}</dt>
      <dd className={classes.value}>
        <span className={classes.text}>
          {children === undefined || children === '' ? (
            <span className="ds-dimmed">{shared.none}</span>
          ) : (
            children
          )}
        </span>
        {copy}
      </dd>
    </div>
  )
}

function EditButton(props: { readonly ref: React.Ref<HTMLButtonElement>; readonly onClick: () => void }) {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button variant="default" leftSection={<IconPencil size={15} />} {...props}>
        {text.user.edit}
      </Button>
    </DisabledReason>
  )
}
