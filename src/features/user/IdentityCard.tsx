import { Box, Button, Flex } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { ApiError } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { AccountState } from '../../domain/people/AccountState.tsx'
import { lastUserWriterQuery } from '../../domain/people/last-writers.ts'
import { NotSaved } from '../../domain/people/NotSaved.tsx'
import {
  type UserEdit,
  type UserReading,
  userSaver,
  type UserSaveResult,
} from '../../domain/people/save-user.ts'
import { emailOf, type UserFieldName, type UserValues, valuesOf } from '../../domain/people/user-fields.ts'
import { userQuery, type UserWithoutInvitation } from '../../domain/queries/users.ts'
import { type Choices, ConflictDialog } from '../../domain/writing/ConflictDialog.tsx'
import { useReason, ReasonField } from '../../domain/writing/reason.tsx'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { conflictText, sharedText, userEditText, userPageText, userText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmailText } from '../../ui/EmailText.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { momentInFull } from '../../ui/moments.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { patchUser } from './queries.ts'
import classes from './IdentityCard.module.css'

// Loaded on demand, because the form and validation libraries add 57 kB.
const UserForm = lazyPart(async () => (await import('../../domain/people/UserForm.tsx')).UserForm)

interface IdentityCardProps {
  readonly user: UserWithoutInvitation
  /** ETag of the response that `user` was read from. */
  readonly etag: string | undefined
}

/** Fields of the user other than the name, which is the title of the page. Editing replaces the card with a form. */
export function IdentityCard({ user, etag }: IdentityCardProps) {
  // An edit keeps the reading that it was started on, even if the user is read again during it.
  const [base, setBase] = useState<UserReading>()
  const editButton = useRef<HTMLButtonElement>(null)
  const end = () => {
    flushSync(() => setBase(undefined))
    // The form had the focus when it closed, so the focus returns to the button.
    editButton.current?.focus()
  }

  return (
    <Box component="section" aria-label={userEditText.user.identity} pb={16}>
      {base ? (
        <EditForm id={user.id} base={base} onEnd={end} />
      ) : (
        <Details
          user={user}
          edit={
            <EditButton
              ref={editButton}
              // The button keeps the focus until the form is loaded.
              onClick={() => UserForm.whenReadTyping(() => setBase({ values: valuesOf(user), etag }))}
            />
          }
        />
      )}
    </Box>
  )
}

interface EditFormProps {
  readonly id: UserWithoutInvitation['id']
  readonly base: UserReading
  readonly onEnd: () => void
}

/** One edit from start to end. Each edit has its own component state, so its reason is not reused for the next. */
function EditForm({ id, base, onEnd }: EditFormProps) {
  const [conflict, setConflict] = useState<Omit<MergeDialogProps, 'userId' | 'save'>>()
  const save = useSave(id)
  const reason = useReason()
  const saveOrAsk = async (edit: UserEdit) => {
    const result = await save(edit)
    if (result.outcome === 'saved') return result
    const saved = await new Promise<Saved | undefined>((resolve) => {
      setConflict({ found: result, values: edit.values, reason: edit.reason, onEnd: resolve })
    })
    setConflict(undefined)
    return saved
  }
  return (
    <>
      <UserForm
        layout="row"
        initial={base.values}
        submit={(count) => userEditText.user.save({ count })}
        staysAt={(pathname) => isAbout(id, pathname)}
        onCancel={onEnd}
        more={<ReasonField reason={reason} />}
        onSave={async (values, changed) => {
          if (!reason.isReady()) return
          const saved = await saveOrAsk({ base, values, changed, reason: reason.given })
          if (!saved) return
          return () => {
            onEnd()
            showToast({ message: outcomeOf(saved) })
          }
        }}
      />
      {conflict && <MergeDialog {...conflict} userId={id} save={save} />}
    </>
  )
}

type Saved = Extract<UserSaveResult, { outcome: 'saved' }>

function outcomeOf({ sent, theirs }: Saved): string {
  const { savedBoth, nothingSent } = userPageText.merge
  if (theirs.length > 0 && sent) return savedBoth({ fields: listNames(namesWithin(theirs)) })
  return !sent && theirs.length > 0 ? nothingSent : userEditText.user.saved
}

function useSave(id: UserWithoutInvitation['id']) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation(patchUser(id))
  const [save] = useState(() =>
    userSaver(async () => {
      const { user, etag } = await client.query({ ...userQuery(id), staleTime: 0 })
      return { values: valuesOf(user), etag }
    }, mutateAsync),
  )
  return save
}

function Details({ user, edit }: { readonly user: UserWithoutInvitation; readonly edit: ReactNode }) {
  const email = emailOf(user)
  const ref = user.ref ?? ''
  return (
    <Flex align="flex-start" className={classes.details ?? ''}>
      <Facts orientation="vertical" className={classes.list ?? ''}>
        <Fact name={userText.columns.email} none={sharedText.none}>
          {email !== undefined && (
            <CopyableValue value={email} label={userEditText.user.copyEmail}>
              <EmailText>{email}</EmailText>
            </CopyableValue>
          )}
        </Fact>
        <Fact name={userText.columns.ref} none={sharedText.none}>
          {ref !== '' && <CopyableValue value={ref} label={userEditText.user.copyRef} />}
        </Fact>
        <Fact name={userEditText.user.id}>
          <ShortId id={user.id} />
        </Fact>
        <Fact name={userText.columns.account}>
          <AccountState value={user.account} />
        </Fact>
        <Fact name={userText.columns.since}>
          <Timestamp value={user.since} mode="minute" focusable />
        </Fact>
        <Fact name={userText.columns.created}>
          <Timestamp value={user.created} mode="minute" focusable />
        </Fact>
      </Facts>
      <div className={classes.edit}>{edit}</div>
    </Flex>
  )
}

interface CopyableValueProps {
  readonly value: string
  readonly label: string
  /** Rendering of the value if it differs from the plain text. */
  readonly children?: ReactNode
}

function CopyableValue({ value, label, children }: CopyableValueProps) {
  return (
    <Flex align="flex-start" gap={4} miw={0}>
      <span>{children ?? value}</span>
      <CopyButton value={value} label={label} />
    </Flex>
  )
}

function EditButton(props: { readonly ref: React.Ref<HTMLButtonElement>; readonly onClick: () => void }) {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button
        variant="default"
        leftSection={<IconPencil size={15} />}
        onPointerEnter={UserForm.prefetch}
        onFocus={UserForm.prefetch}
        data-edits-user
        {...props}
      >
        {userEditText.user.edit}
      </Button>
    </DisabledReason>
  )
}

interface MergeDialogProps {
  readonly userId: string
  readonly found: Extract<UserSaveResult, { outcome: 'conflict' }>
  readonly values: UserValues
  readonly reason: string | undefined
  readonly save: (edit: UserEdit) => Promise<UserSaveResult>
  /** Called with the result once the edit is saved, or with undefined to return to the form, which keeps all input. */
  readonly onEnd: (saved: Saved | undefined) => void
}

function MergeDialog({ userId, found: first, values, reason, save, onEnd }: MergeDialogProps) {
  const [found, setFound] = useState(first)
  const { merge, now } = found
  // Author of the other change, if the service records it. The dialog does not wait for the name.
  const { data: writer } = useQuery(lastUserWriterQuery(userId, now.etag))
  const mine = (choices: Choices) => [
    ...merge.mine,
    ...merge.conflicts.flatMap(({ field }) => (choices.get(field) === 'mine' ? [field] : [])),
  ]

  const { mutate, isPending, error } = useMutation({
    // The save is based on the reading that the choice was made on, so a third edit is a new conflict.
    mutationFn: (choices: Choices) => save({ base: now, values, changed: mine(choices), reason }),
    onSuccess: (result) => {
      if (result.outcome === 'conflict') setFound(result)
      else onEnd({ ...result, theirs: [...merge.theirs, ...result.theirs] })
    },
    onError: (failure) => {
      // A fault of this page must not take the form with the edit away.
      if (!(failure instanceof ApiError)) reportError(failure)
    },
  })
  const once = useSubmitLock()

  return (
    <ConflictDialog
      title={userPageText.merge.title}
      on={found}
      questions={merge.conflicts.map(({ field, base, mine: mineNow, theirs }) => ({
        id: field,
        legend: userText.columns[field],
        mine: <FieldValue>{formatField(field, mineNow)}</FieldValue>,
        theirs: <FieldValue>{formatField(field, theirs)}</FieldValue>,
        before: base === '' ? conflictText.empty : formatField(field, base),
      }))}
      takenOver={namesWithin(merge.theirs)}
      alsoSent={namesWithin(merge.mine)}
      keepsTheirs={(choices) => mine(choices).length === 0}
      pending={isPending}
      onSave={(choices) => once((free) => mutate(choices, { onSettled: free }))}
      onClose={() => onEnd(undefined)}
    >
      {writer && (
        <p className="ds-dimmed">
          {conflictText.writer.withElements({ actor: writer.actor, time: <Timestamp value={writer.time} /> })}
        </p>
      )}
      {error instanceof ApiError && <NotSaved error={error} />}
    </ConflictDialog>
  )
}

const formatField = (field: UserFieldName, value: string) => (field === 'since' ? momentInFull(value) : value)

function FieldValue({ children }: { readonly children: string }) {
  return children === '' ? <span className="ds-dimmed">{conflictText.empty}</span> : <span>{children}</span>
}

function namesWithin(fields: readonly UserFieldName[]): string[] {
  return fields.map((field) => userEditText.fieldsWithin[field])
}

export function isAbout(userId: string, pathname: string): boolean {
  const page = links.user(userId)
  return pathname === page || (pathname.startsWith(`${page}/`) && pathname !== links.subjectAccess(userId))
}
