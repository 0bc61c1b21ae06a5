import { useMutation } from '@tanstack/react-query'
import {
  type Dispatch,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

import type { Entity } from '#contract/index.ts'
import { ApiError, keyedWrites } from '../../../api/index.ts'
import { assignToRows } from '../../../domain/failures/pointers.ts'
import { isReasonMissing, useReason } from '../../../domain/writing/reason.tsx'
import { useSubmitLock } from '../../../domain/writing/use-submit-lock.ts'
import { differenceOf, unmasksValue } from '../draft/difference.ts'
import {
  type Action,
  type EntityDraft,
  entityDraftOf,
  hasIssues,
  issuesOf,
  type EntityPath,
} from '../draft/entity-draft.ts'
import { hasConflicts } from '../draft/merge.ts'
import type { DraftRow } from '../draft/row.ts'
import { useOlderConsents } from './OlderConsents.tsx'
import type { Attempt, EntitySaveResult } from './save.ts'
import { saveEntity } from './writes.ts'

/** Result that keeps the form open: not saved, perhaps saved, or saved but not read again. */
export type Trouble = Exclude<EntitySaveResult, { outcome: 'saved' }>

type RefusedParts = ReturnType<typeof assignToRows>

interface Status {
  readonly trouble?: Trouble | undefined
  /** Issues that the service reported, and the draft that they are about. */
  readonly refusal?: (RefusedParts & { readonly of: EntityDraft }) | undefined
  /** Whether a save was attempted, after which all issues are shown. */
  readonly tried: boolean
  /** Step that waits until it is known which properties are sensitive for other users. */
  readonly waitsFor?: 'save' | 'review' | undefined
  readonly asking?: 'review' | 'discard' | 'merge' | undefined
}

const nothingRefused: RefusedParts = { rows: new Map(), rest: [] }
const initialStatus: Status = { tried: false }

export interface EntitySaveOptions {
  readonly place: EntityPath
  /** Draft that the form was mounted with. */
  readonly start: EntityDraft
  readonly draft: EntityDraft
  readonly dispatch: Dispatch<Action>
  readonly form: RefObject<HTMLFormElement | null>
  /** Whether a save of several changes is reviewed first; otherwise the form itself shows the change and its reason. */
  readonly isReviewed?: boolean
  /** Reason to begin with. */
  readonly lastReason?: string
  /** Called right before the request is sent. */
  readonly onSend: () => void
  /** Called when the entity was saved and read again. */
  readonly onSaved: (entity: Entity, sent: EntityDraft, theirs?: readonly string[]) => void
}

export type EntitySave = ReturnType<typeof useEntitySave>

/** Runs a save: validation, questions before the request, and handling of its outcome. */
export function useEntitySave(options: EntitySaveOptions) {
  const { place, start, draft, dispatch, form, isReviewed = true, onSend, onSaved } = options
  const { status, update, reset } = useStatus()
  const reason = useReason(options.lastReason, unmasksValue(draft))
  const { saving, isSettling, once, older } = useRequests(place)
  const { issues, refused } = useIssues(draft, status.refusal)
  const { isDirty, isWaiting, hasSeveral } = sumUp(draft)
  /** Whether the next step asks something first. One change is in sight, so only its reason may have to be asked for. */
  const asksFirst = isReviewed && (reason.isRequired || hasSeveral)
  const isUnsettled = status.trouble?.outcome === 'unknown' || status.trouble?.outcome === 'saved unread'

  const finish = (result: EntitySaveResult, sent: EntityDraft, free?: () => void) => {
    if (result.outcome !== 'conflict') update({ asking: undefined })
    if (result.outcome === 'saved') return onSaved(result.entity, sent, result.theirs)
    free?.()
    if ('draft' in result) dispatch({ do: 'start again', from: result.draft })
    else if (sent !== draft) dispatch({ do: 'start again', from: sent })
    update(statusAfter(result, sent))
    if (lacksReason(result)) reason.demand()
  }
  const sendNow = (sent: EntityDraft) =>
    once((free) => {
      onSend()
      update({ trouble: undefined, refusal: undefined })
      const onSuccess = (result: EntitySaveResult) => finish(result, sent, free)
      saving.mutate({ draft: sent, reason: reason.given }, { onSuccess, onError: free })
    })
  const send = (sent = draft) => older.guard(sent, () => sendNow(sent))

  const check = (next: 'save' | 'review') => {
    flushSync(() => update({ tried: true, waitsFor: undefined }))
    if (hasConflicts(draft)) return update({ asking: 'merge' })
    if (hasIssues(issues)) return showInvalid(form)
    if (asksFirst || next === 'review') return update({ asking: 'review' })
    if (isReviewed || reason.isReady()) send()
  }
  useWhenDue(status.waitsFor !== undefined && !isWaiting, () => check(status.waitsFor ?? 'save'))
  const begin = (next: 'save' | 'review') => {
    if (!isDirty || isUnsettled || saving.isPending) return
    return isWaiting ? update({ waitsFor: next }) : check(next)
  }
  return {
    ...status,
    reason,
    issues,
    refused,
    isDirty,
    isReviewed,
    /** Whether the last request was, or may have been, processed, so that no other one may be sent yet. */
    isUnsettled,
    ask: (asking: Status['asking']) => update({ asking }),
    isSending: saving.isPending && !isSettling,
    isSettling,
    send,
    olderQuestion: older.question,
    asksFirst,
    submit: (event: SyntheticEvent) => {
      event.preventDefault()
      begin('save')
    },
    review: () => begin('review'),
    saveDecided: (decided: EntityDraft) => {
      const isSound = !hasIssues(issuesOf(decided))
      if (isSound && !(reason.isRequired && reason.given === undefined)) return send(decided)
      flushSync(() => {
        // The review asks for the missing reason.
        update({ asking: isSound ? 'review' : undefined, trouble: undefined, tried: true })
        dispatch({ do: 'start again', from: decided })
      })
      if (!isSound) showInvalid(form)
    },
    settle: (attempt: Attempt, error: unknown) =>
      saving.mutate({ attempt, error }, { onSuccess: (result) => finish(result, draft) }),
    discard: () => {
      reset()
      // After a merge the edit is based on a newer version than the one the form was mounted with.
      dispatch({ do: 'start again', from: draft.loaded ? entityDraftOf(draft.loaded) : start })
    },
  }
}

function useStatus() {
  const [status, setStatus] = useState(initialStatus)
  return {
    status,
    update: (more: Partial<Status>) => setStatus((before) => ({ ...before, ...more })),
    reset: () => setStatus(initialStatus),
  }
}

function useRequests(place: EntityPath) {
  const [write] = useState(keyedWrites)
  const saving = useMutation(saveEntity(place, write))
  return {
    saving,
    isSettling: saving.isPending && 'attempt' in saving.variables,
    once: useSubmitLock(),
    older: useOlderConsents(),
  }
}

function sumUp(draft: EntityDraft) {
  const { count } = differenceOf(draft)
  const isNew = !draft.loaded
  return {
    isDirty: count > 0 || (isNew && draft.type !== ''),
    /** Whether a stored entity has more than one change. */
    hasSeveral: !isNew && count > 1,
    isWaiting: draft.rows.some(({ unchecked }) => unchecked === 'waiting'),
  }
}

/** Whether the service refused the save for a missing reason, which the review then asks for. */
function lacksReason(result: Trouble): boolean {
  return result.outcome === 'failed' && isReasonMissing(result.error)
}

/** Returns the status after a save that did not go through: a missing reason and conflicts are asked about. */
function statusAfter(result: Trouble, sent: EntityDraft): Partial<Status> {
  if (lacksReason(result)) return { asking: 'review' }
  if (result.outcome === 'conflict') return { trouble: result, asking: 'merge' }
  return result.outcome === 'failed' && result.request && result.error instanceof ApiError
    ? {
        trouble: result,
        refusal: { ...assignToRows(result.error.errors, result.request.rowIds), of: sent },
      }
    : { trouble: result }
}

function useWhenDue(isDue: boolean, run: () => void) {
  const now = useEffectEvent(run)
  useEffect(() => {
    // The run calls `flushSync`, which is not allowed inside an effect.
    if (isDue) queueMicrotask(() => now())
  }, [isDue])
}

function useIssues(draft: EntityDraft, refusal: Status['refusal']) {
  const issues = useMemo(() => issuesOf(draft), [draft])
  const refused = useMemo(() => stillRefused(refusal, draft), [refusal, draft])
  return { issues, refused }
}

/** Returns the issues that the service reported for rows and type; each is dropped once its part is edited. */
function stillRefused(refusal: Status['refusal'], draft: EntityDraft): RefusedParts {
  if (!refusal) return nothingRefused
  const { of: sent, type, rest } = refusal
  const isAsSent = (row: DraftRow) => draft.rows.includes(row)
  const rows = new Map(
    [...refusal.rows].filter(([id]) => sent.rows.some((row) => row.id === id && isAsSent(row))),
  )
  return { rows, rest, ...(type !== undefined && draft.type === sent.type && { type }) }
}

function showInvalid(form: EntitySaveOptions['form']) {
  form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
