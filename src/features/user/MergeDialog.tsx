import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { user as text, users } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { type Side, SideChoice } from '../../domain/writing/SideChoice.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './MergeDialog.module.css'
import { lastWriterQuery } from '../../domain/people/last-writer.ts'
import type { Edit, SaveResult } from '../../domain/people/save-user.ts'
import type { UserValues } from '../../domain/people/user-fields.ts'
import { NotSaved } from '../../domain/people/UserForm.tsx'

type Field = keyof UserValues
export type Found = Extract<SaveResult, { outcome: 'conflict' }>

export interface MergeDialogProps {
  readonly userId: string
  readonly found: Found
  readonly values: UserValues
  readonly save: (edit: Edit) => Promise<SaveResult>
  /** Saved, or `undefined`: back to the form, which still holds everything. */
  readonly onEnd: (saved: Extract<SaveResult, { outcome: 'saved' }> | undefined) => void
}

/** Fields that two people changed, side by side; nothing is sent before each of them is decided. */
export function MergeDialog({ userId, found: first, values, save, onEnd }: MergeDialogProps) {
  const [{ merge, now }, setFound] = useState(first)
  const [choices, setChoices] = useState<Partial<Record<Field, Side>>>({})
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<ApiError>()
  const { conflicts } = merge
  // Who it was, where the service tells; the question does not wait for it.
  const { data: writer } = useQuery(lastWriterQuery(userId, now.etag))
  const undecided = conflicts.filter(({ field }) => choices[field] === undefined)
  const mine = [
    ...merge.mine,
    ...conflicts.flatMap(({ field }) => (choices[field] === 'mine' ? [field] : [])),
  ]

  const submit = async () => {
    setPending(true)
    setFailure(undefined)
    try {
      // What is stored now is what the choice was made on: a third edit is a conflict with that one.
      const result = await save({ base: now, values, changed: mine })
      if (result.outcome === 'saved') return onEnd({ ...result, theirs: [...merge.theirs, ...result.theirs] })
      setFound(result)
      setChoices({})
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure(error)
    } finally {
      setPending(false)
    }
  }

  return (
    <Dialog
      width={640}
      title={text.merge.title}
      {...(pending ? {} : { onClose: () => onEnd(undefined) })}
      actions={
        <>
          <Button variant="default" onClick={() => onEnd(undefined)} disabled={pending}>
            {text.merge.cancel}
          </Button>
          <Button onClick={() => void submit()} disabled={undecided.length > 0} loading={pending}>
            {mine.length === 0 && undecided.length === 0 ? text.merge.keepTheirs : text.merge.save}
          </Button>
        </>
      }
    >
      <p>{text.merge.body}</p>
      {writer && (
        <p className={classes.note}>
          {text.merge.writer(writer.actor)} <Timestamp value={writer.time} />
        </p>
      )}
      {conflicts.map(({ field, base, mine: mineNow, theirs }) => (
        <SideChoice
          key={field}
          legend={users.columns[field]}
          who={text.merge}
          what={{ mine: <Value>{mineNow}</Value>, theirs: <Value>{theirs}</Value> }}
          chosen={choices[field]}
          onChoose={(side) => setChoices({ ...choices, [field]: side })}
          note={text.merge.before(base === '' ? text.merge.empty : base)}
        />
      ))}
      {merge.theirs.length > 0 && (
        <p className={classes.note}>{text.merge.takenOver(namesOf(merge.theirs))}</p>
      )}
      {merge.mine.length > 0 && <p className={classes.note}>{text.merge.alsoSent(namesOf(merge.mine))}</p>}
      {failure && <NotSaved error={failure} />}
    </Dialog>
  )
}

function Value({ children }: { readonly children: string }) {
  return children === '' ? <span className="ds-dimmed">{text.merge.empty}</span> : <span>{children}</span>
}

function namesOf(fields: readonly Field[]): string[] {
  return fields.map((field) => users.columns[field].toLocaleLowerCase())
}
