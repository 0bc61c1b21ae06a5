import { useMutation } from '@tanstack/react-query'
import { type Dispatch, type FormEvent, type RefObject, useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'

import type { Entity } from '#contract/index.ts'

import { ApiError, keyedWrites } from '../../api/index.ts'
import { atRows } from '../../domain/failures/pointers.ts'
import { differenceOf } from './difference.ts'
import { type Action, type DraftIssues, type EntityDraft, entityDraftOf, issuesOf } from './entity-draft.ts'
import { hasConflicts } from './merge.ts'
import type { Attempt, Place, SaveResult } from './save.ts'
import { saveEntity, settleEntity } from './writes.ts'

/** Why the form is still there after a save. */
export type Trouble = Exclude<SaveResult, { outcome: 'saved' }>

/** Where a save has come to. */
interface Status {
  readonly trouble?: Trouble | undefined
  /** What the service said of the rows and of the type, as long as they stand as they were sent. */
  readonly refused: ReturnType<typeof atRows>
  /** Somebody wanted to save: everything that is wrong is shown. */
  readonly tried: boolean
  readonly asking?: 'review' | 'discard' | 'merge' | undefined
}

const nothingRefused: Status['refused'] = { rows: new Map(), rest: [] }
const begun: Status = { refused: nothingRefused, tried: false }

// Seldom needed, and fetched before the save that may need it, so that nothing typed hangs on it.
export const loadMerge = () => import('./MergeDialog.tsx')

export interface SavingOptions {
  readonly place: Place
  /** What the form was mounted with. */
  readonly start: EntityDraft
  readonly draft: EntityDraft
  readonly dispatch: Dispatch<Action>
  readonly form: RefObject<HTMLFormElement | null>
  /** It is on its way from now on. */
  readonly onSend: () => void
  /** Written, and read again. */
  readonly onSaved: (entity: Entity, changes: number, theirs?: readonly string[]) => void
}

export type Saving = ReturnType<typeof useSaving>

/** From an edit to what the service holds: what is wrong with it, what is asked before, and what became of it. */
export function useSaving({ place, start, draft, dispatch, form, onSend, onSaved }: SavingOptions) {
  const [status, setStatus] = useState(begun)
  const update = (more: Partial<Status>) => setStatus((before) => ({ ...before, ...more }))
  const forget = useCallback((what: About) => setStatus((before) => forgotten(before, what)), [])
  const [write] = useState(keyedWrites)
  const saving = useMutation(saveEntity(place, write))
  const settling = useMutation(settleEntity(place, write))
  const issues = useMemo(() => issuesOf(draft), [draft])
  const { changedCount, removedCount } = differenceOf(draft)
  const isNew = !draft.loaded
  const isDirty = changedCount + removedCount > 0 || (isNew && draft.type !== '')
  const isUnsettled = status.trouble?.outcome === 'unknown' || status.trouble?.outcome === 'saved unread'

  const showInvalid = () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  const merge = () =>
    loadMerge().then(
      () => update({ asking: 'merge' }),
      // Without the dialog, what was written on both sides is decided in the rows.
      () => update({ asking: undefined }),
    )
  const finish = (result: SaveResult, sent: EntityDraft) => {
    if (result.outcome !== 'conflict') update({ asking: undefined })
    if (result.outcome === 'saved') {
      const difference = differenceOf(sent)
      return onSaved(result.entity, difference.changedCount + difference.removedCount, result.theirs)
    }
    if ('draft' in result) dispatch({ do: 'start again', from: result.draft })
    else if (sent !== draft) dispatch({ do: 'start again', from: sent })
    update({ trouble: result })
    if (result.outcome === 'conflict') void merge()
    if (result.outcome === 'failed' && result.request && result.error instanceof ApiError)
      update({ refused: atRows(result.error.errors, result.request.rowIds) })
  }
  const send = (sent = draft) => {
    onSend()
    update({ trouble: undefined, refused: nothingRefused })
    saving.mutate(sent, { onSuccess: (result) => finish(result, sent) })
  }

  return {
    ...status,
    issues,
    isDirty,
    /** What has been written, or may have been, is not sent again. */
    isUnsettled,
    ask: (asking: Status['asking']) => update({ asking }),
    isSending: saving.isPending,
    isSettling: settling.isPending,
    send,
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (!isDirty || isUnsettled || saving.isPending) return
      flushSync(() => update({ tried: true }))
      if (hasConflicts(draft)) return void merge()
      if (hasIssues(issues)) return showInvalid()
      if (isNew) return send()
      void loadMerge().catch(() => undefined)
      update({ asking: 'review' })
    },
    saveDecided: (decided: EntityDraft) => {
      if (!hasIssues(issuesOf(decided))) return send(decided)
      flushSync(() => {
        update({ asking: undefined, trouble: undefined, tried: true })
        dispatch({ do: 'start again', from: decided })
      })
      showInvalid()
    },
    settle: (attempt: Attempt, error: unknown) =>
      settling.mutate({ attempt, error }, { onSuccess: (result) => finish(result, draft) }),
    discard: () => {
      setStatus(begun)
      // After a merge the edit starts from a newer state than it was mounted with.
      dispatch({ do: 'start again', from: draft.loaded ? entityDraftOf(draft.loaded) : start })
    },
    forget,
  }
}

/** What the service said of a row, of the type or of all is about what stood there then. */
type About = { readonly rowId: string } | 'type' | 'all'

function forgotten(status: Status, what: About): Status {
  if (what === 'all') return { ...status, refused: nothingRefused }
  const { type: _, ...rest } = status.refused
  if (what === 'type') return { ...status, refused: rest }
  if (!rest.rows.has(what.rowId)) return status
  const rows = new Map([...rest.rows].filter(([id]) => id !== what.rowId))
  return { ...status, refused: { ...status.refused, rows } }
}

function hasIssues({ rows, type }: DraftIssues): boolean {
  return rows.size > 0 || type !== undefined
}
