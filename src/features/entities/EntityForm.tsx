import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type ComponentType,
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

import { dataTypes, type Entity, type EntityId } from '#contract/index.ts'

import { ApiError, keyedWrites } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { entities as text } from '../../messages/index.ts'
import { type Change, changesOf, isTypeChanged, placeErrors } from './change.ts'
import {
  type Action,
  change,
  type DraftIssues,
  type EntityDraft,
  entityDraftOf,
  isHidden,
  isMasked,
  issuesOf,
  keysLoadedTwice,
  newRowId,
} from './draft.ts'
import { hasConflicts, isTypeUndecided } from './merge.ts'
import { ChangeBar, DiscardDialog } from './ChangeBar.tsx'
import classes from './EntityForm.module.css'
import { EntityHead } from './EntityHead.tsx'
import { HistoryButton } from './history/HistoryButton.tsx'
import { useHistory, useHistoryDenied } from './history/use-history.tsx'
import { Unsaved } from '../../app/unsaved.tsx'
import { OfferKeysContext, useOfferKeys } from './known-keys.ts'
import { PropertyList } from './PropertyList.tsx'
import { dataTypesQuery } from './queries.ts'
import { useReveal } from './reveal.ts'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { Denials } from './row-parts.tsx'
import type { Place, SaveResult } from './save.ts'
import { SaveNotice, type Trouble } from './SaveNotice.tsx'
import type { TemplatesProps } from './Templates.tsx'
import { saveEntity, settleEntity } from './writes.ts'

export interface EntityFormProps {
  readonly place: Place
  readonly start: EntityDraft
  /** Types to choose from. Any other can be written. */
  readonly suggestions: readonly string[]
  /** Beside the type: when it was made, its id, what else can be done with it. */
  readonly aside?: ReactNode
  /** Mounted anew with what was just saved: keeps the focus here. */
  readonly afterSave?: boolean
  /** Written, and read again. */
  readonly onSaved: (entity: Entity, changes: number, theirs?: readonly string[]) => void
  /** Written, but reading it again failed: it is asked for once more. */
  readonly onReadAgain: (id: EntityId | undefined) => Promise<void>
  /** For a new entity: keys to begin with. */
  readonly Templates?: ComponentType<TemplatesProps>
  /** For a new entity: given up. */
  readonly onCancel?: () => void
}

const RevealDialog = lazy(async () => ({ default: (await import('./RevealDialog.tsx')).RevealDialog }))

// Seldom needed, and fetched before the save that may need it, so that nothing typed hangs on it.
const loadMerge = () => import('./MergeDialog.tsx')
const MergeDialog = lazy(async () => ({ default: (await loadMerge()).MergeDialog }))

type Refused = Omit<ReturnType<typeof placeErrors>, 'rest'>
const nothingRefused: Refused = { rows: new Map() }

/**
 * An entity and its properties, for looking and editing at once; a new one too. Mount it anew (by `key`) for another
 * entity or a newer state: what is typed here is never changed from outside.
 */
export function EntityForm({
  place,
  start,
  suggestions,
  aside,
  afterSave = false,
  Templates,
  onSaved,
  onReadAgain,
  onCancel,
}: EntityFormProps) {
  const [draft, dispatch] = useReducer(change, start)
  const [refused, setRefused] = useState(nothingRefused)
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState<'review' | 'discard' | 'merge'>()
  const [trouble, setTrouble] = useState<Trouble>()
  const [addedRow, setAddedRow] = useState<string>()
  const { revealed, asking: revealing, reveal, show, hide } = useReveal()
  const form = useRef<HTMLFormElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const takesFocus = useRef(afterSave)
  const [write] = useState(keyedWrites)
  const saving = useMutation(saveEntity(place, write))
  const settling = useMutation(settleEntity(place, write))

  const offerKeys = useOfferKeys(draft)

  const { loaded } = draft
  const isNew = !loaded
  const repeated = useMemo(() => keysLoadedTwice(loaded), [loaded])
  const denied = useDenials(repeated.size > 0)
  const types = useTypeOptions()
  const { open: openHistory, panel: historyPanel } = useHistory({
    ...place,
    entityId: place.entityId,
    draft,
    denied: cannotSave(trouble) ? { ...denied, write: text.history.unsettled } : denied,
    onPutBack: (from, rowId) => {
      dispatch({ do: 'start again', from })
      setRefused((before) => (rowId === undefined ? nothingRefused : withoutRow(before, rowId)))
      // The first of its inputs takes the focus.
      setAddedRow(rowId)
    },
  })
  const issues = useMemo(() => issuesOf(draft), [draft])
  const changes = useMemo(() => changesOf(draft), [draft])
  const { changedCount, removedCount } = countsOf(draft, changes)
  const isDirty = changes.length > 0 || isTypeChanged(draft) || (isNew && draft.type !== '')

  const act = useCallback((action: Action) => {
    dispatch(action)
    if ('id' in action) setRefused((before) => withoutRow(before, action.id))
    // The pressed button goes with its row; where a row stays, marked as removed, it takes the focus to itself.
    if (action.do === 'remove') addButton.current?.focus()
  }, [])

  // A dialog gives the focus back to the button that opened it, which may have gone with what was saved or discarded.
  const isReady = asking === undefined && !trouble
  useEffect(() => {
    if (isReady && takesFocus.current && document.activeElement === document.body)
      form.current?.focus({ preventScroll: true })
    takesFocus.current = true
  }, [isReady])
  // The question comes first; the notice says it again when that is put off.
  const told = asking === 'merge' ? undefined : trouble
  useEffect(() => {
    if (!told) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    invalid?.focus()
    if (invalid) return
    form.current?.focus({ preventScroll: true })
    // The notice stands first.
    form.current?.firstElementChild?.scrollIntoView({ block: 'nearest' })
  }, [told])

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
      const counts = countsOf(sent, changesOf(sent))
      onSaved(result.entity, counts.changedCount + counts.removedCount, result.theirs)
      return
    }
    setTrouble(result)
    if ('draft' in result) dispatch({ do: 'start again', from: result.draft })
    else if (sent !== draft) dispatch({ do: 'start again', from: sent })
    if (result.outcome === 'conflict') merge()
    if (result.outcome === 'failed' && result.request && result.error instanceof ApiError)
      setRefused(placeErrors(result.error.errors, result.request))
  }
  const send = (sent = draft) => {
    hide()
    setTrouble(undefined)
    setRefused(nothingRefused)
    saving.mutate(sent, { onSuccess: (result) => finish(result, sent) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isDirty || cannotSave(trouble) || saving.isPending) return
    flushSync(() => setTried(true))
    if (hasConflicts(draft)) merge()
    else if (hasIssues(issues)) showInvalid()
    else if (isNew) send()
    else {
      void loadMerge().catch(() => undefined)
      setAsking('review')
    }
  }
  const saveDecided = (decided: EntityDraft) => {
    if (!hasIssues(issuesOf(decided))) return send(decided)
    flushSync(() => {
      setAsking(undefined)
      setTrouble(undefined)
      setTried(true)
      dispatch({ do: 'start again', from: decided })
    })
    showInvalid()
  }
  const showInvalid = () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()

  // A key typed in a row is not the head's business.
  const { type } = draft
  const typeUndecided = isTypeUndecided(draft)
  const typeIssue = refused.type ?? (tried || !isNew ? issues.type : undefined)
  const head = useMemo(
    () => (
      <EntityHead
        loaded={loaded}
        type={type}
        undecided={typeUndecided}
        suggestions={suggestions}
        issue={typeIssue}
        readOnly={denied.write !== undefined || cannotSave(trouble)}
        aside={aside}
        history={loaded && <HistoryButton denied={denied.history} onOpen={openHistory} />}
        onType={(next) => {
          dispatch({ do: 'set type', type: next })
          setRefused(({ rows }) => ({ rows }))
        }}
      />
    ),
    [loaded, type, typeUndecided, suggestions, typeIssue, denied, trouble, aside, openHistory],
  )

  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      tabIndex={-1}
      aria-label={isNew ? text.newTitle : draft.loaded?.type}
      className={classes.form}
      // What is typed while it is on its way would not be part of it.
      inert={saving.isPending && isNew}
    >
      {trouble && (trouble.outcome !== 'conflict' || hasConflicts(draft)) && (
        <SaveNotice
          trouble={trouble}
          pending={settling.isPending}
          onCheck={(attempt, error) =>
            settling.mutate({ attempt, error }, { onSuccess: (result) => finish(result) })
          }
          onReadAgain={onReadAgain}
        />
      )}
      {head}
      {denied.write !== undefined && (
        <p className={classes.note}>{`${text.form.readOnly} ${denied.write}`}</p>
      )}
      {repeated.size > 0 && <p className={classes.warning}>{text.form.repeated([...repeated].join(', '))}</p>}
      {/* What may be stored already is not typed over: it would be gone with the answer. */}
      <div inert={cannotSave(trouble)}>
        {Templates && (
          <Templates type={draft.type} onChoose={(keys) => dispatch({ do: 'offer keys', keys })} />
        )}
        <OfferKeysContext value={offerKeys}>
          <PropertyList
            rows={draft.rows}
            types={types}
            issues={issues.rows}
            showIssues={tried}
            refused={refused.rows}
            denied={denied}
            repeated={repeated}
            revealed={revealed}
            focusRow={addedRow}
            onReveal={reveal}
            onHide={hide}
            onAct={act}
            onHistory={openHistory}
          />
        </OfferKeysContext>
        {draft.rows.length === 0 && <p className={classes.note}>{text.form.none}</p>}
        {denied.write === undefined && (
          <Button
            ref={addButton}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            className={classes.add ?? ''}
            onClick={() => {
              const id = newRowId()
              dispatch({ do: 'add', id })
              setAddedRow(id)
            }}
          >
            {text.form.addProperty}
          </Button>
        )}
      </div>
      {draft.rows.some((row) => isHidden(row) && !isMasked(row)) && (
        <p className={classes.note}>{text.form.onScreenOnly}</p>
      )}
      {(isDirty || isNew) && denied.write === undefined && (
        <ChangeBar
          isNew={isNew}
          changed={changedCount}
          removed={removedCount}
          invalid={tried ? issues.rows.size : 0}
          pending={saving.isPending}
          blocked={cannotSave(trouble)}
          onDiscard={isNew ? onCancel : () => setAsking('discard')}
        />
      )}
      {isDirty && <Unsaved />}
      {revealing && place.entityId !== undefined && (
        <Suspense>
          <RevealDialog
            place={{ ...place, entityId: place.entityId }}
            propertyKey={revealing.loaded?.key ?? revealing.key}
            onRevealed={(property) => show(revealing.id, property)}
            onClose={hide}
          />
        </Suspense>
      )}
      {historyPanel}
      {asking === 'review' && (
        <ReviewDialog
          place={place}
          draft={draft}
          changes={changes}
          pending={saving.isPending}
          onSave={() => send()}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'merge' && (
        <Suspense>
          <MergeDialog
            draft={draft}
            pending={saving.isPending}
            onSave={saveDecided}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
      {asking === 'discard' && (
        <DiscardDialog
          count={changedCount + removedCount}
          onClose={() => setAsking(undefined)}
          onDiscard={() => {
            setAsking(undefined)
            setTrouble(undefined)
            setRefused(nothingRefused)
            setTried(false)
            // After a merge the edit starts from a newer state than it was mounted with.
            dispatch({ do: 'start again', from: draft.loaded ? entityDraftOf(draft.loaded) : start })
          }}
        />
      )}
    </form>
  )
}

function countsOf(draft: EntityDraft, changes: readonly Change[]) {
  const removedCount = changes.filter(({ kind }) => kind === 'removed').length
  return { removedCount, changedCount: changes.length - removedCount + (isTypeChanged(draft) ? 1 : 0) }
}

/** What the service said of a row is about what stood there then. */
function withoutRow(refused: Refused, id: string): Refused {
  if (!refused.rows.has(id)) return refused
  const rows = new Map(refused.rows)
  rows.delete(id)
  return { ...refused, rows }
}

function hasIssues({ rows, type }: DraftIssues): boolean {
  return rows.size > 0 || type !== undefined
}

/** What has been written, or may have been, is not sent again. */
function cannotSave(trouble: Trouble | undefined): boolean {
  return trouble?.outcome === 'unknown' || trouble?.outcome === 'saved unread'
}

function useDenials(keysRepeat: boolean): Denials {
  const write = useDenied('entities:write')
  const readSensitive = useDenied('sensitive:read')
  const writeSensitive = useDenied('sensitive:write')
  const replace = keysRepeat ? text.form.repeatedReason : undefined
  const history = useHistoryDenied()
  return useMemo(
    () => ({ write, readSensitive, writeSensitive, replace, history }),
    [write, readSensitive, writeSensitive, replace, history],
  )
}

function useTypeOptions() {
  const { data: known = dataTypes } = useQuery(dataTypesQuery())
  return useMemo(() => known.map((type) => ({ value: type, label: type })), [known])
}
