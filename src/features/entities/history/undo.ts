import { mutationOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import type { Entity } from '#contract/index.ts'
import { keyedWrites, offers, peek } from '../../../api/index.ts'
import { useDenied, usePerson } from '../../../auth/use-session.ts'
import { propertyLabel } from '../../../domain/labels.ts'
import { findChangeset } from '../../../domain/queries/changesets.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { tellNotUndone, tellUndone, undoReason } from '../../../domain/restoring/undone.ts'
import { useOfferUndo } from '../../../domain/writing/last-undo.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { change, type EntityDraft, entityDraftOf, putBack } from '../draft/entity-draft.ts'
import { type DraftRow, isSecret } from '../draft/row.ts'
import { describeSaved, onlyRowOf } from '../saving/describe-saved.ts'
import { save } from '../saving/save.ts'
import type { EntitySaveOptions } from '../saving/use-entity-save.ts'
import { putBackInService } from './writes.ts'

/** A property that was saved: its row as it was sent, and the entity that was read after it. */
interface SavedRow {
  readonly row: DraftRow
  readonly saved: Entity
}

/**
 * Returns a function that says what was saved, and offers to undo it if it was one property. After several changes, Ctrl
 * or ⌘ with Z undoes no earlier save either.
 * @param onUndone Called with the entity as it is then, unless the page was left.
 */
export function useTellSaved(
  userId: string,
  onUndone?: (entity: Entity) => void,
): EntitySaveOptions['onSaved'] {
  const mayFind = useDenied('events:read', 'users:read', 'entities:read') === undefined
  const { subject } = usePerson()
  const { mutate } = useMutation(undoRow(userId, subject, mayFind))
  const client = useQueryClient()
  const offer = useOfferUndo()
  return (saved, sent, theirs) => {
    const row = onlyRowOf(sent)
    const undo = (done: SavedRow) => () =>
      mutate(done, {
        onSettled: () => {
          const all = peek(client, entitiesQuery(userId))
          const entity = all?.find(({ id }) => id === saved.id)
          if (entity) onUndone?.(entity)
        },
      })
    const isUndoable = row && (!isSecret(row) || isRevertible(row))
    showToast({
      message: describeSaved(saved, sent, theirs),
      action: offer(isUndoable ? undo({ row, saved }) : undefined),
    })
  }
}

/**
 * Whether the service can restore the property, which it does under its own key alone. A hidden value, which the console
 * never saw, is undone in no other way; others are too where it can be, because lists then tell that they were undone.
 */
function isRevertible(row: DraftRow): boolean {
  return offers('revertChangeset') && (row.loaded?.key ?? row.key) === row.key
}

/** @param actor Person whose write is undone. */
function undoRow(userId: string, actor: string, mayFind: boolean) {
  return mutationOptions({
    mutationFn: async ({ row, saved }: SavedRow, { client }) => {
      const reason = undoReason()
      const write = keyedWrites()
      if (isSecret(row) || (mayFind && isRevertible(row))) {
        const changesetId = await findChangeset(client, userId, row.loaded?.key ?? row.key, {
          type: 'DIRECT_DATA_CHANGE',
          entity: saved.id,
          actor,
        })
        if (changesetId === undefined) return 'contested'
        return await putBackInService({ userId, loaded: saved, write, reason }, { changesetId, key: row.key })
      }
      const result = await save({ userId, entityId: saved.id }, withRowBack(saved, row), write, { reason })
      if (result.outcome === 'conflict' || result.outcome === 'unclear') return 'contested'
      if ('error' in result && result.outcome !== 'saved unread') throw result.error
      return 'put back'
    },
    onSuccess: (outcome, { row, saved }) =>
      tellUndone(propertyLabel(saved.type, row.key), outcome === 'put back'),
    onError: (error) => tellNotUndone(error),
    onSettled: (_outcome, _error, _done, _result, { client }) =>
      client.query({ ...entitiesQuery(userId), staleTime: 0 }).catch(() => undefined),
  })
}

/** Returns a draft of the saved entity in which the property is as it was before. */
function withRowBack(saved: Entity, { key, loaded }: DraftRow): EntityDraft {
  const draft = entityDraftOf(saved)
  const stored = draft.rows.find((row) => row.loaded?.key === key)
  if (!loaded) return stored ? change(draft, { do: 'remove', id: stored.id }) : draft
  return putBack(draft, loaded, stored).draft
}
