import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { lastUserWriterQuery } from '../../domain/people/last-writers.ts'
import { NotSaved } from '../../domain/people/NotSaved.tsx'
import {
  type UserEdit,
  type UserReading,
  userSaver,
  type UserSaveResult,
} from '../../domain/people/save-user.ts'
import type { UserFieldName, UserValues } from '../../domain/people/user-fields.ts'
import type { UserWithoutInvitation } from '../../domain/queries/users.ts'
import { type Choices, ConflictDialog, WrittenBy } from '../../domain/writing/ConflictDialog.tsx'
import { useOfferUndo } from '../../domain/writing/last-undo.tsx'
import { useReason, ReasonField } from '../../domain/writing/reason.tsx'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { conflictText, userEditText, userPageText, userText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { useTypedAhead } from '../../ui/keys/typed-ahead.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { momentInFull } from '../../ui/moments.tsx'
import { showToast } from '../../ui/toast.tsx'
import { patchUser, readUser } from './queries.ts'
import { useUndoField } from './undo-field.ts'

// Loaded on demand, because the form and validation libraries add 57 kB.
export const UserForm = lazyPart(async () => (await import('../../domain/people/UserForm.tsx')).UserForm)

/** Edit that is going on: of one field in its place, or of all. */
export interface OpenEdit {
  readonly base: UserReading
  readonly field: UserFieldName | undefined
}

interface EditFormProps extends OpenEdit {
  readonly id: UserWithoutInvitation['id']
  /** Ends the edit; goes on to the next field if one is named. */
  readonly onEnd: (next?: UserFieldName) => void
}

/** Fields in the order of the card. */
const cardFields = ['name', 'email', 'ref', 'since'] as const satisfies readonly UserFieldName[]

/** One edit from start to end. Each edit has its own component state, so its reason is not reused for the next. */
export function EditForm({ id, base, field, onEnd }: EditFormProps) {
  const [conflict, setConflict] = useState<Omit<MergeDialogProps, 'userId' | 'save'>>()
  const save = useSave(id)
  const reason = useReason()
  const offerUndo = useOfferUndo()
  const goesTo = useRef<UserFieldName>(undefined)
  const ahead = useTypedAhead()
  const saveOrAsk = async (edit: UserEdit) => {
    if (goesTo.current !== undefined) ahead.begin()
    const result = await save(edit).catch((error: unknown) => {
      ahead.end(false)
      throw error
    })
    if (result.outcome === 'saved') return result
    ahead.end(false)
    const saved = await new Promise<Saved | undefined>((resolve) => {
      setConflict({ found: result, values: edit.values, reason: edit.reason, onEnd: resolve })
    })
    setConflict(undefined)
    return saved
  }
  const undo = useUndoField(id)
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, currentTarget, target, altKey, ctrlKey, metaKey, shiftKey } = event
    if (field === undefined || altKey || ctrlKey || metaKey || shiftKey) return
    if (key === 'Escape') {
      event.stopPropagation()
      onEnd()
    }
    if (key !== 'Tab' || !(target instanceof HTMLInputElement)) return
    const form = currentTarget.querySelector('form')
    const next = cardFields[cardFields.indexOf(field) + 1]
    if (next === undefined || !form) return
    event.preventDefault()
    goesTo.current = next
    form.requestSubmit()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the form within has buttons for the same
    <div onKeyDown={press}>
      <UserForm
        layout="row"
        only={field}
        initial={base.values}
        submit={(count) =>
          field === undefined ? userEditText.user.save({ count }) : userEditText.user.saveOne
        }
        staysAt={(pathname) => isAbout(id, pathname)}
        onCancel={() => onEnd()}
        more={(field === undefined || reason.isRequired) && <ReasonField reason={reason} />}
        onSave={async (values, changed) => {
          if (changed.length === 0) return () => onEnd(goesTo.current)
          if (!reason.isReady()) return
          const saved = await saveOrAsk({ base, values, changed, reason: reason.given })
          if (!saved) return
          return () => {
            ahead.end(true)
            onEnd(goesTo.current)
            const [only] = changed
            const action =
              field === only && only !== undefined && saved.sent
                ? offerUndo(() => undo({ field: only, before: base.values, now: values }))
                : offerUndo(undefined)
            showToast({ message: outcomeOf(saved, field), action })
          }
        }}
      />
      {conflict && <MergeDialog {...conflict} userId={id} save={save} />}
    </div>
  )
}

type Saved = Extract<UserSaveResult, { outcome: 'saved' }>

function outcomeOf({ sent, theirs }: Saved, field: UserFieldName | undefined): string {
  const { savedBoth, nothingSent } = userPageText.merge
  if (theirs.length > 0 && sent) return savedBoth({ fields: listNames(namesWithin(theirs)) })
  if (!sent && theirs.length > 0) return nothingSent
  const { saved, changed } = userEditText.user
  return field === undefined ? saved : changed({ field: userText.columns[field] })
}

function useSave(id: UserWithoutInvitation['id']) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation(patchUser(id))
  const [save] = useState(() => userSaver(() => readUser(client, id), mutateAsync))
  return save
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
  // The page behind the dialog names the user so.
  const nameBefore = merge.conflicts.find(({ field }) => field === 'name')?.base ?? now.values.name
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
      title={userPageText.merge.title({ name: nameBefore || userText.noName })}
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
          <WrittenBy writer={writer} />
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
