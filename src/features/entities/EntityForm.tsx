import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type ComponentType,
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

import { dataTypes, type Entity, type EntityId } from '#contract/index.ts'

import { useDenied } from '../../auth/use-session.ts'
import { entityText, shellText } from '../../messages/index.ts'
import {
  type Action,
  change,
  type EntityDraft,
  isHidden,
  isMasked,
  keysLoadedTwice,
  newRowId,
} from './draft.ts'
import { hasConflicts, isTypeUndecided } from './merge.ts'
import { ChangeBar } from './ChangeBar.tsx'
import classes from './EntityForm.module.css'
import { EntityHead } from './EntityHead.tsx'
import { HistoryButton } from './history/HistoryButton.tsx'
import { useHistory, useHistoryDenied } from './history/use-history.tsx'
import { LeaveDialog } from '../../domain/writing/LeaveDialog.tsx'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { OfferKeysContext, useOfferKeys } from './known-keys.ts'
import { PropertyList } from './PropertyList.tsx'
import { dataTypesQuery } from '../../domain/queries/entities.ts'
import { useReveal } from './reveal.ts'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { Denials } from './row-parts.tsx'
import type { Place } from './save.ts'
import { SaveNotice } from './SaveNotice.tsx'
import type { TemplatesProps } from './Templates.tsx'
import { isUnsettled, loadMerge, useSaving } from './use-saving.ts'

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

const MergeDialog = lazy(async () => ({ default: (await loadMerge()).MergeDialog }))

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
  const [addedRow, setAddedRow] = useState<string>()
  const { revealed, asking: revealing, reveal, show, hide } = useReveal()
  const form = useRef<HTMLFormElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const takesFocus = useRef(afterSave)
  const saving = useSaving({ place, start, draft, dispatch, form, onSend: hide, onSaved })
  const { issues, changes, refused, tried, asking, ask, trouble, forget, forgetType } = saving
  const unsettled = isUnsettled(trouble)

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
    denied: unsettled ? { ...denied, write: entityText.history.unsettled } : denied,
    onPutBack: (from, rowId) => {
      dispatch({ do: 'start again', from })
      forget(rowId)
      // The first of its inputs takes the focus.
      setAddedRow(rowId)
    },
  })

  const act = useCallback(
    (action: Action) => {
      dispatch(action)
      if ('id' in action) forget(action.id)
      // The pressed button goes with its row; where a row stays, marked as removed, it takes the focus to itself.
      if (action.do === 'remove') addButton.current?.focus()
    },
    [forget],
  )

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
        readOnly={denied.write !== undefined || unsettled}
        aside={aside}
        history={loaded && <HistoryButton denied={denied.history} onOpen={openHistory} />}
        onType={(next) => {
          dispatch({ do: 'set type', type: next })
          forgetType()
        }}
      />
    ),
    [loaded, type, typeUndecided, suggestions, typeIssue, denied, unsettled, aside, openHistory, forgetType],
  )

  return (
    <form
      ref={form}
      onSubmit={saving.submit}
      noValidate
      tabIndex={-1}
      aria-label={isNew ? entityText.newTitle : draft.loaded?.type}
      className={classes.form}
      // What is typed while it is on its way would not be part of it.
      inert={saving.isSending && isNew}
    >
      {trouble && (trouble.outcome !== 'conflict' || hasConflicts(draft)) && (
        <SaveNotice
          trouble={trouble}
          pending={saving.isSettling}
          onCheck={saving.settle}
          onReadAgain={onReadAgain}
        />
      )}
      {head}
      {denied.write !== undefined && (
        <p className={classes.note}>{`${entityText.form.readOnly} ${denied.write}`}</p>
      )}
      {repeated.size > 0 && (
        <p className={classes.warning}>{entityText.form.repeated([...repeated].join(', '))}</p>
      )}
      {/* What may be stored already is not typed over: it would be gone with the answer. */}
      <div inert={unsettled}>
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
        {draft.rows.length === 0 && <p className={classes.note}>{entityText.form.none}</p>}
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
            {entityText.form.addProperty}
          </Button>
        )}
      </div>
      {draft.rows.some((row) => isHidden(row) && !isMasked(row)) && (
        <p className={classes.note}>{entityText.form.onScreenOnly}</p>
      )}
      {(saving.isDirty || isNew) && denied.write === undefined && (
        <ChangeBar
          isNew={isNew}
          changed={saving.changedCount}
          removed={saving.removedCount}
          invalid={tried ? issues.rows.size : 0}
          pending={saving.isSending}
          blocked={unsettled}
          onDiscard={isNew ? onCancel : () => ask('discard')}
        />
      )}
      {saving.isDirty && <Unsaved />}
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
          pending={saving.isSending}
          onSave={() => saving.send()}
          onClose={() => ask(undefined)}
        />
      )}
      {asking === 'merge' && (
        <Suspense>
          <MergeDialog
            draft={draft}
            pending={saving.isSending}
            onSave={saving.saveDecided}
            onClose={() => ask(undefined)}
          />
        </Suspense>
      )}
      {asking === 'discard' && (
        <LeaveDialog
          words={{
            ...entityText.discard,
            leave: entityText.discard.action(saving.changedCount + saving.removedCount),
            stay: shellText.leave.stay,
          }}
          onStay={() => ask(undefined)}
          onLeave={saving.discard}
        />
      )}
    </form>
  )
}

function useDenials(keysRepeat: boolean): Denials {
  const write = useDenied('entities:write')
  const readSensitive = useDenied('sensitive:read')
  const writeSensitive = useDenied('sensitive:write')
  const replace = keysRepeat ? entityText.form.repeatedReason : undefined
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
