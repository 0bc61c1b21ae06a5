import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { conflictText, userEditText, userPageText, userText } from '../../messages/index.ts'
import { type Choices, ConflictDialog } from '../../domain/writing/ConflictDialog.tsx'
import { momentInFull } from '../../ui/moments.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import type { UserEdit, UserSaveResult } from '../../domain/people/save-user.ts'
import type { UserFieldName, UserValues } from '../../domain/people/user-fields.ts'
import { NotSaved } from '../../domain/people/NotSaved.tsx'
import { lastUserWriterQuery } from '../../domain/people/last-writers.ts'

export type UserConflict = Extract<UserSaveResult, { outcome: 'conflict' }>

export interface MergeDialogProps {
  readonly userId: string
  readonly found: UserConflict
  readonly values: UserValues
  readonly reason: string | undefined
  readonly save: (edit: UserEdit) => Promise<UserSaveResult>
  /** Called with the result once it is saved, or with undefined to return to the form, which keeps all input. */
  readonly onEnd: (saved: Extract<UserSaveResult, { outcome: 'saved' }> | undefined) => void
}

export function MergeDialog({ userId, found: first, values, reason, save, onEnd }: MergeDialogProps) {
  const [found, setFound] = useState(first)
  const { merge, now } = found
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<ApiError>()
  // Author of the other change, if the service records it. The dialog does not wait for the name.
  const { data: writer } = useQuery(lastUserWriterQuery(userId, now.etag))
  const mine = (choices: Choices) => [
    ...merge.mine,
    ...merge.conflicts.flatMap(({ field }) => (choices.get(field) === 'mine' ? [field] : [])),
  ]

  const submit = async (choices: Choices) => {
    setPending(true)
    setFailure(undefined)
    try {
      // The save is based on the reading that the choice was made on, so a third edit is a new conflict.
      const result = await save({ base: now, values, changed: mine(choices), reason })
      if (result.outcome === 'saved') return onEnd({ ...result, theirs: [...merge.theirs, ...result.theirs] })
      setFound(result)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error)
    } finally {
      setPending(false)
    }
  }

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
      pending={pending}
      onSave={(choices) => void submit(choices)}
      onClose={() => onEnd(undefined)}
    >
      {writer && (
        <p className="ds-dimmed">
          {conflictText.writer.withElements({ actor: writer.actor, time: <Timestamp value={writer.time} /> })}
        </p>
      )}
      {failure && <NotSaved error={failure} />}
    </ConflictDialog>
  )
}

const formatField = (field: UserFieldName, value: string) => (field === 'since' ? momentInFull(value) : value)

function FieldValue({ children }: { readonly children: string }) {
  return children === '' ? <span className="ds-dimmed">{conflictText.empty}</span> : <span>{children}</span>
}

/** Returns the names of fields as they appear within a sentence. */
export function namesWithin(fields: readonly UserFieldName[]): string[] {
  return fields.map((field) => userEditText.fieldsWithin[field])
}
