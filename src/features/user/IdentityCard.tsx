import { Box, Button, Flex } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'

import { useDenied } from '../../auth/use-session.ts'
import { AccountState } from '../../domain/people/AccountState.tsx'
import { emailOf, type UserFieldName, valuesOf } from '../../domain/people/user-fields.ts'
import type { UserWithoutInvitation } from '../../domain/queries/users.ts'
import { userEditText, userText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmailText } from '../../ui/EmailText.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { None } from '../../ui/None.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { EditForm, type OpenEdit, UserForm } from './EditUser.tsx'
import classes from './IdentityCard.module.css'

interface IdentityCardProps {
  readonly user: UserWithoutInvitation
  /** ETag of the response that `user` was read from. */
  readonly etag: string | undefined
}

/**
 * Fields of the user; the name is the title of the page. Each is edited in its place, or all in a form. Returns the card
 * and the pencil of the name.
 */
export function useIdentityCard({ user, etag }: IdentityCardProps) {
  // An edit keeps the reading that it was started on, even if the user is read again during it.
  const [edit, setEdit] = useState<OpenEdit>()
  const open = (field?: UserFieldName) =>
    // The button keeps the focus until the form is loaded.
    UserForm.whenReadTyping(() => setEdit({ base: { values: valuesOf(user), etag }, field }))
  const end = (next?: UserFieldName) => {
    flushSync(() => setEdit(undefined))
    // The form had the focus when it closed, so the focus returns to the button that opened it.
    const opened = edit?.field === undefined ? '[data-edits-user]' : `[data-field="${edit.field}"]`
    document.querySelector<HTMLElement>(`#main ${opened}`)?.focus()
    if (next !== undefined) open(next)
  }
  const form = edit && <EditForm key={edit.field} id={user.id} {...edit} onEnd={end} />
  const content = (
    <Box component="section" aria-label={userEditText.user.identity} pb={16}>
      {edit && edit.field === undefined ? (
        form
      ) : (
        <Details user={user} opened={edit?.field} form={form} onOpen={open} />
      )}
    </Box>
  )
  return { card: content, namePencil: <Pencil name="name" onOpen={() => open('name')} /> }
}

interface DetailsProps {
  readonly user: UserWithoutInvitation
  /** Field that is being edited in its place, by `form`. */
  readonly opened: UserFieldName | undefined
  readonly form: ReactNode
  readonly onOpen: (field?: UserFieldName) => void
}

function Details({ user, opened, form, onOpen }: DetailsProps) {
  const email = emailOf(user)
  const ref = user.ref ?? ''
  const field = (name: UserFieldName, value: ReactNode, copy?: ReactNode) => (
    <Field name={name} copy={copy} form={opened === name ? form : undefined} onOpen={() => onOpen(name)}>
      {value}
    </Field>
  )
  return (
    <Flex align="flex-start" className={classes.details ?? ''}>
      <Facts orientation="vertical" className={classes.list ?? ''}>
        {opened === 'name' && field('name', null)}
        {field(
          'email',
          email !== undefined && <EmailText>{email}</EmailText>,
          email !== undefined && <CopyButton value={email} label={userEditText.user.copyEmail} />,
        )}
        {field('ref', ref, ref !== '' && <CopyButton value={ref} label={userEditText.user.copyRef} />)}
        <Fact name={userEditText.user.id}>
          <ShortId id={user.id} />
        </Fact>
        <Fact name={userText.columns.account}>
          <AccountState value={user.account} />
        </Fact>
        {field('since', <Timestamp value={user.since} mode="minute" focusable />)}
        <Fact name={userText.columns.created}>
          <Timestamp value={user.created} mode="minute" focusable />
        </Fact>
      </Facts>
      {opened === undefined && (
        <div className={classes.edit}>
          <EditButton onClick={() => onOpen()} />
        </div>
      )}
    </Flex>
  )
}

interface FieldProps {
  readonly name: UserFieldName
  readonly copy: ReactNode
  /** Form in place of the value, while the field is edited. */
  readonly form: ReactNode
  readonly onOpen: () => void
  readonly children: ReactNode
}

/** Field of the user with a pencil that opens it in its place. */
function Field({ name, copy, form, onOpen, children }: FieldProps) {
  const label = userText.columns[name]
  if (form !== undefined)
    return (
      <Fact isWide name={<span className="ds-visually-hidden">{label}</span>}>
        <div className={classes.open}>{form}</div>
      </Fact>
    )
  return (
    <Fact name={label}>
      <div className={classes.value}>
        <span>{children === false || children === null || children === '' ? <None /> : children}</span>
        <span className={classes.actions}>
          {copy}
          <Pencil name={name} onOpen={onOpen} />
        </span>
      </div>
    </Fact>
  )
}

function Pencil({ name, onOpen }: Pick<FieldProps, 'name' | 'onOpen'>) {
  const denied = useDenied('users:write')
  if (denied !== undefined) return null
  return (
    <IconButton
      size="small"
      aria-label={userEditText.user.editOf({ field: userText.columns[name] })}
      hinted
      data-row="head"
      data-edits={userText.columns[name]}
      data-field={name}
      onPointerEnter={UserForm.prefetch}
      onFocus={UserForm.prefetch}
      onClick={onOpen}
    >
      <IconPencil size={14} stroke={1.75} />
    </IconButton>
  )
}

function EditButton({ onClick }: { readonly onClick: () => void }) {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button
        variant="default"
        leftSection={<IconPencil size={15} />}
        onPointerEnter={UserForm.prefetch}
        onFocus={UserForm.prefetch}
        data-edits-user
        onClick={onClick}
      >
        {userEditText.user.edit}
      </Button>
    </DisabledReason>
  )
}
