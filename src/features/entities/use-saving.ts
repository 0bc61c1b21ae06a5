import { useMutation } from '@tanstack/react-query'
import { type Dispatch, type FormEvent, type RefObject, useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'

import type { Entity } from '#contract/index.ts'

import { ApiError, keyedWrites } from '../../api/index.ts'
import { type Change, changesOf, isTypeChanged } from './change.ts'
import { atRows } from '../../domain/failures/pointers.ts'
import { type Action, type DraftIssues, type EntityDraft, entityDraftOf, issuesOf } from './draft.ts'
import { hasConflicts } from './merge.ts'
import type { Attempt, Place, SaveResult } from './save.ts'
import type { Trouble } from './SaveNotice.tsx'
import { saveEntity, settleEntity } from './writes.ts'

type Refused = Omit<ReturnType<typeof atRows>, 'rest'>
const nothingRefused: Refused = { rows: new Map() }

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

/** From an edit to what the service holds: what is wrong with it, what is asked before, and what became of it. */
export function useSaving({ place, start, draft, dispatch, form, onSend, onSaved }: SavingOptions) {
  const [refused, setRefused] = useState(nothingRefused)
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState<'review' | 'discard' | 'merge'>()
  const [trouble, setTrouble] = useState<Trouble>()
  const [write] = useState(keyedWrites)
  const saving = useMutation(saveEntity(place, write))
  const settling = useMutation(settleEntity(place, write))
  const issues = useMemo(() => issuesOf(draft), [draft])
  const changes = useMemo(() => changesOf(draft), [draft])
  const isNew = !draft.loaded
  const isDirty = changes.length > 0 || isTypeChanged(draft) || (isNew && draft.type !== '')

  const showInvalid = () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  const merge = () => {
    // Without the dialog, what was written on both sides is decided in the rows.
    loadMerge().then(
      () => setAsking('merge'),
      () => setAsking(undefined),
    )
  }
  const finish = (result: SaveResult, sent: EntityDraft = draft) => {
    if (result.outcome !== 'conflict') setAsking(undefined)
    if (result.outcome === 'saved') {
      const { changedCount, removedCount } = countsOf(sent, changesOf(sent))
      onSaved(result.entity, changedCount + removedCount, result.theirs)
      return
    }
    setTrouble(result)
    if ('draft' in result) dispatch({ do: 'start again', from: result.draft })
    else if (sent !== draft) dispatch({ do: 'start again', from: sent })
    if (result.outcome === 'conflict') merge()
    if (result.outcome === 'failed' && result.request && result.error instanceof ApiError)
      setRefused(atRows(result.error.errors, result.request.rowIds))
  }
  const send = (sent = draft) => {
    onSend()
    setTrouble(undefined)
    setRefused(nothingRefused)
    saving.mutate(sent, { onSuccess: (result) => finish(result, sent) })
  }

  return {
    issues,
    changes,
    ...countsOf(draft, changes),
    isDirty,
    refused,
    /** Somebody wanted to save: everything that is wrong is shown. */
    tried,
    asking,
    ask: setAsking,
    trouble,
    isSending: saving.isPending,
    isSettling: settling.isPending,
    send,
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (!isDirty || isUnsettled(trouble) || saving.isPending) return
      flushSync(() => setTried(true))
      if (hasConflicts(draft)) merge()
      else if (hasIssues(issues)) showInvalid()
      else if (isNew) send()
      else {
        void loadMerge().catch(() => undefined)
        setAsking('review')
      }
    },
    saveDecided: (decided: EntityDraft) => {
      if (!hasIssues(issuesOf(decided))) return send(decided)
      flushSync(() => {
        setAsking(undefined)
        setTrouble(undefined)
        setTried(true)
        dispatch({ do: 'start again', from: decided })
      })
      showInvalid()
    },
    settle: (attempt: Attempt, error: unknown) => {
      settling.mutate({ attempt, error }, { onSuccess: (result) => finish(result) })
    },
    discard: () => {
      setAsking(undefined)
      setTrouble(undefined)
      setRefused(nothingRefused)
      setTried(false)
      // After a merge the edit starts from a newer state than it was mounted with.
      dispatch({ do: 'start again', from: draft.loaded ? entityDraftOf(draft.loaded) : start })
    },
    /** What the service said of a row, or of all of them, is about what stood there then. */
    forget: useCallback(
      (rowId?: string) =>
        setRefused((before) => (rowId === undefined ? nothingRefused : without(before, rowId))),
      [],
    ),
    forgetType: useCallback(() => setRefused(({ rows }) => ({ rows })), []),
  }
}

/** What has been written, or may have been, is not sent again. */
export function isUnsettled(trouble: Trouble | undefined): boolean {
  return trouble?.outcome === 'unknown' || trouble?.outcome === 'saved unread'
}

function countsOf(draft: EntityDraft, changes: readonly Change[]) {
  const removedCount = changes.filter(({ kind }) => kind === 'removed').length
  return { removedCount, changedCount: changes.length - removedCount + (isTypeChanged(draft) ? 1 : 0) }
}

function without(refused: Refused, id: string): Refused {
  if (!refused.rows.has(id)) return refused
  const rows = new Map(refused.rows)
  rows.delete(id)
  return { ...refused, rows }
}

function hasIssues({ rows, type }: DraftIssues): boolean {
  return rows.size > 0 || type !== undefined
}
