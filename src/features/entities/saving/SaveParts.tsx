import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { EntityId } from '#contract/index.ts'
import { isRepeatable } from '../../../api/index.ts'
import { InlineFailure, type InlineFailureProps } from '../../../domain/failures/InlineFailure.tsx'
import { propertyLabel, typeLabel } from '../../../domain/labels.ts'
import { type Reason, ReasonField } from '../../../domain/writing/reason.tsx'
import { LeaveDialog } from '../../../domain/writing/unsaved.tsx'
import { useSubmitLock } from '../../../domain/writing/use-submit-lock.ts'
import { entityText, shellText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { ariaKeys } from '../../../ui/keys/shortcut.ts'
import { differenceOf, requestOf, type WriteRequest } from '../draft/difference.ts'
import type { EntityDraft, EntityPath } from '../draft/entity-draft.ts'
import { hasConflicts } from '../draft/merge.ts'
import { hasNewValue, isSecret } from '../draft/row.ts'
import { ChangesTable } from './ChangesTable.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import type { EntitySave } from './use-entity-save.ts'
import classes from './SaveParts.module.css'

const reviewText = entityText.review

interface SavePartProps {
  readonly draft: EntityDraft
  readonly saving: EntitySave
}

export interface SaveNoticeProps extends SavePartProps {
  readonly onReadAgain: (id: EntityId | undefined) => Promise<void>
}

/** Notice above the form about a failed save: what happened, what is kept, and what to do next. */
export function SaveNotice({ draft, saving, onReadAgain }: SaveNoticeProps) {
  const { failure } = entityText
  const { trouble, refused, asking, isReviewed, isSettling, settle } = saving
  switch (trouble?.outcome) {
    case undefined:
      return null
    case 'conflict':
      return (
        hasConflicts(draft) &&
        // The dialog says the same, and an alert behind it would be read out first.
        asking !== 'merge' &&
        (isReviewed ? (
          <Notice title={failure.conflictTitle}>{failure.conflictBody}</Notice>
        ) : (
          <Notice title={failure.rowConflictTitle}>{failure.rowConflictBody}</Notice>
        ))
      )
    case 'unclear':
      return <Notice title={failure.unclearTitle}>{failure.unclearBody}</Notice>
    case 'unknown': {
      const isAgain = isRepeatable(trouble.error)
      return (
        <Notice title={failure.unknownTitle}>
          <p>{`${isAgain ? failure.unknownRepeatable : failure.unknownBody} ${failure.kept}`}</p>
          <Button
            variant="default"
            mt="xs"
            loading={isSettling}
            onClick={() => settle(trouble.attempt, trouble.error)}
          >
            {isAgain ? failure.repeat : failure.check}
          </Button>
        </Notice>
      )
    }
    case 'saved unread':
      return (
        <Notice title={failure.unreadTitle}>
          <p>{failure.unreadBody}</p>
          <ReadAgain onReadAgain={() => onReadAgain(trouble.id)} />
        </Notice>
      )
    case 'failed': {
      const { error, request } = trouble
      const { title, notSent, kept, missing, lost, other, fault, invalid } = failure
      const own = { missing, lost, other, fault, invalid, rest: refused.rest }
      return (
        <Notice title={title} error={error} own={own}>
          {request ? kept : `${notSent} ${kept}`}
        </Notice>
      )
    }
  }
}

function Notice(props: InlineFailureProps) {
  return (
    <div className={classes.notice}>
      <InlineFailure {...props} />
    </div>
  )
}

function ReadAgain({ onReadAgain }: { readonly onReadAgain: () => Promise<void> }) {
  // If the read fails again, the notice that reports it is still shown.
  const { mutate, isPending } = useMutation({ mutationFn: onReadAgain })
  const once = useSubmitLock()
  return (
    <Button
      variant="default"
      mt="xs"
      loading={isPending}
      onClick={() => once((free) => mutate(undefined, { onError: free }))}
    >
      {entityText.failure.readAgain}
    </Button>
  )
}

export interface ChangeBarProps extends SavePartProps {
  readonly onCancel: (() => void) | undefined
}

/** Sticky bar with the save button, shown for a new entity and while there is something to save. */
export function ChangeBar({ draft, saving, onCancel }: ChangeBarProps) {
  const isNew = !draft.loaded
  const { changedCount, removedCount } = differenceOf(draft)
  // Number of rows that block the save; counted after the first attempt.
  const invalid = saving.tried ? saving.issues.rows.size : 0
  return (
    <div className={classes.bar}>
      <Text component="div" flex="1 1 auto" fw={500} fz="md">
        <Announced>
          {!isNew && summaryOf(changedCount, removedCount)}
          {invalid > 0 && (
            <Text span display="block" size="xs" c="red">
              {entityText.bar.invalid({ count: invalid })}
            </Text>
          )}
        </Announced>
      </Text>
      <Button
        variant="default"
        onClick={isNew ? onCancel : () => saving.ask('discard')}
        disabled={saving.isSending}
      >
        {isNew ? entityText.bar.cancel : entityText.bar.discard}
      </Button>
      {!isNew && !saving.asksFirst && (
        <Button variant="default" onClick={saving.review} disabled={saving.isUnsettled || saving.isSending}>
          {entityText.bar.review}
        </Button>
      )}
      {/* Disabled until it is known what the last save has stored. */}
      <Button
        type="submit"
        loading={saving.isSending}
        disabled={saving.isUnsettled}
        {...hint(undefined, 'Mod+S')}
      >
        {isNew ? entityText.bar.create : saving.asksFirst ? entityText.bar.review : saveText(draft)}
      </Button>
    </div>
  )
}

/** Label of the button that saves all changes at once. */
function saveText(draft: EntityDraft): string {
  const { changedCount, removedCount, count } = differenceOf(draft)
  return changedCount === 0 && removedCount > 0
    ? reviewText.saveRemovals({ count: removedCount })
    : reviewText.save({ count })
}

function summaryOf(changed: number, removed: number): string {
  const { changes, removals } = entityText.bar
  return [changed > 0 && changes({ count: changed }), removed > 0 && removals({ count: removed })]
    .filter(Boolean)
    .join(' · ')
}

/** Dialogs that must be answered before edits are sent or discarded. */
export function SaveQuestions({ place, draft, saving }: SavePartProps & { readonly place: EntityPath }) {
  const { asking, ask, reason, isSending, send, saveDecided, discard } = saving
  const close = () => ask(undefined)
  switch (asking) {
    case undefined:
      return null
    case 'review':
      return (
        <ReviewDialog
          {...{ place, draft, reason }}
          pending={isSending}
          onSave={() => {
            if (!isSending && reason.isReady()) send()
          }}
          onClose={close}
        />
      )
    case 'merge':
      return (
        <MergeDialog
          userId={place.userId}
          draft={draft}
          pending={isSending}
          onSave={saveDecided}
          onClose={close}
        />
      )
    case 'discard': {
      const { title, body, action } = entityText.discard
      const leave = action({ count: differenceOf(draft).count })
      const words = { title, body, leave, stay: shellText.leave.stay }
      return <LeaveDialog words={words} onStay={close} onLeave={discard} />
    }
  }
}

interface ReviewDialogProps {
  readonly place: EntityPath
  readonly draft: EntityDraft
  readonly reason: Reason
  readonly pending: boolean
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Review before a save: old → new values, and the request to send. Stored sensitive values stay hidden. */
function ReviewDialog(props: ReviewDialogProps) {
  const { place, draft, reason, pending, onSave, onClose } = props
  const request = requestOf(draft)
  return (
    <Dialog
      width={860}
      title={reviewText.title({ type: typeLabel(draft.loaded?.type ?? draft.type) })}
      onClose={onClose}
      back={reviewText.back}
      isBusy={pending}
      actions={
        <Button onClick={onSave} loading={pending} data-saves aria-keyshortcuts={ariaKeys('Mod+S')}>
          {saveText(draft)}
        </Button>
      }
    >
      <ChangesTable draft={draft} />
      <ReasonField reason={reason} onEnter={onSave} />
      {request && draft.loaded && <RequestInWords place={place} draft={draft} request={request} />}
    </Dialog>
  )
}

interface RequestInWordsProps extends Pick<ReviewDialogProps, 'place' | 'draft'> {
  readonly request: WriteRequest
}

/** Describes the effect of the request in words; expands to the literal request. */
function RequestInWords({ place, draft, request }: RequestInWordsProps) {
  const [isOpen, setOpen] = useState(false)
  const { method, body } = request
  const labels = body.properties.map(({ key }) => propertyLabel(draft.type, String(key)))
  const written = { count: labels.length, properties: listNames(labels) }
  const hidden = body.properties.filter(({ masked }) => masked === true).length
  const types = labels.length === 0 ? 'alone' : differenceOf(draft).isTypeChanged ? 'too' : 'none'
  return (
    <Stack component="section" gap={4} c="dimmed" fz="sm" aria-label={reviewText.request}>
      <p>
        {method === 'PUT' ? reviewText.put({ ...written, hidden }) : reviewText.patch({ ...written, types })}
      </p>
      <p>{reviewText.merges}</p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{reviewText.exact}</summary>
        {isOpen && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
          <pre tabIndex={0} className={`ds-mono ${classes.exact}`}>
            {`${method} /users/${place.userId}/entities/${place.entityId}\n\n${exactly(draft, request)}`}
          </pre>
        )}
      </details>
    </Stack>
  )
}

function exactly(draft: EntityDraft, { body, rowIds }: WriteRequest): string {
  const rows = [...draft.rows, ...differenceOf(draft).rows]
  const secret = new Set(rows.filter((row) => isSecret(row) && !hasNewValue(row)).map(({ id }) => id))
  const properties = body.properties.map((property, index) =>
    'value' in property && secret.has(rowIds[index] ?? '')
      ? { ...property, value: reviewText.hiddenValue }
      : property,
  )
  return JSON.stringify({ ...body, properties }, null, 2)
}
