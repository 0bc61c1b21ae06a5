import { Button, Stack } from '@mantine/core'
import { useState } from 'react'

import { keyLabel } from '../../domain/values/key-label.ts'
import { entityText } from '../../messages/index.ts'
import { listed } from '../../messages/listed.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ariaKeys } from '../../ui/keys/shortcut.ts'
import type { Reason } from '../../domain/writing/reason.ts'
import { ReasonField } from '../../domain/writing/ReasonField.tsx'
import { ChangesTable } from './ChangesTable.tsx'
import { differenceOf, requestOf, type WriteRequest } from './difference.ts'
import type { EntityDraft } from './entity-draft.ts'
import classes from './ReviewDialog.module.css'
import { isSecret } from './row.ts'
import type { Place } from './save.ts'

const reviewText = entityText.review

export interface ReviewDialogProps {
  readonly place: Place
  readonly draft: EntityDraft
  readonly reason: Reason
  readonly pending: boolean
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Review before a save: old → new values, and the request to send. Sensitive values stay hidden. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { place, draft, reason, pending, onSave, onClose } = props
  const { changedCount, removedCount } = differenceOf(draft)
  const request = requestOf(draft)
  return (
    <Dialog
      width={860}
      title={reviewText.title({ type: draft.loaded?.type ?? draft.type })}
      {...(pending ? {} : { onClose })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={pending}>
            {reviewText.back}
          </Button>
          <Button onClick={onSave} loading={pending} data-saves aria-keyshortcuts={ariaKeys('Mod+S')}>
            {changedCount === 0 && removedCount > 0
              ? reviewText.saveRemovals({ count: removedCount })
              : reviewText.save({ count: changedCount + removedCount })}
          </Button>
        </>
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
  const labels = body.properties.map(({ key }) => keyLabel(String(key)))
  const hidden = body.properties.filter(({ masked }) => masked === true).length
  return (
    <Stack component="section" gap={4} c="dimmed" fz="sm" aria-label={reviewText.request}>
      <p>
        {method === 'PUT'
          ? describePut(labels, hidden)
          : describePatch(labels, differenceOf(draft).isTypeChanged)}
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

function describePut(labels: readonly string[], hidden: number): string {
  const { put } = reviewText
  const saved = labels.length === 0 ? put.none : put.properties({ properties: listed(labels) })
  return hidden === 0 ? saved : `${saved} ${put.hidden({ count: hidden })}`
}

function describePatch(labels: readonly string[], withType: boolean): string {
  const { patch } = reviewText
  if (labels.length === 0) return patch.type
  const properties = listed(labels)
  return withType
    ? patch.typeAndProperties({ properties })
    : patch.properties({ count: labels.length, properties })
}

function exactly(draft: EntityDraft, { body, rowIds }: WriteRequest): string {
  const rows = [...draft.rows, ...differenceOf(draft).rows]
  const secret = new Set(rows.filter(isSecret).map(({ id }) => id))
  const properties = body.properties.map((property, index) =>
    'value' in property && secret.has(rowIds[index] ?? '')
      ? { ...property, value: reviewText.hiddenValue }
      : property,
  )
  return JSON.stringify({ ...body, properties }, null, 2)
}
