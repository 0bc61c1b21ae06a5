import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type FormEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

import { dataTypes, type Entity, type EntityId } from '#contract/index.ts'

import { ApiError } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { entities as text } from '../../messages/index.ts'
import { changesOf, isTypeChanged, placeErrors } from './change.ts'
import {
  type Action,
  change,
  type EntityDraft,
  entityDraftOf,
  isHidden,
  isMasked,
  issuesOf,
  keysLoadedTwice,
  newRowId,
} from './draft.ts'
import { ChangeBar, DiscardDialog } from './ChangeBar.tsx'
import classes from './EntityForm.module.css'
import { EntityHead } from './EntityHead.tsx'
import { Unsaved } from '../../app/unsaved.tsx'
import { PropertyRow } from './PropertyRow.tsx'
import rowClasses from './PropertyRow.module.css'
import { dataTypesQuery, saveEntity, settleEntity } from './queries.ts'
import { useReveal } from './reveal.ts'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { Denials } from './row-parts.tsx'
import type { Place, SaveResult } from './save.ts'
import { SaveNotice, type Trouble } from './SaveNotice.tsx'

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
  readonly onSaved: (entity: Entity, changes: number) => void
  /** Written, but reading it again failed: it is asked for once more. */
  readonly onReadAgain: (id: EntityId | undefined) => Promise<void>
  /** For a new entity: given up. */
  readonly onCancel?: () => void
}

/** About a screen of them. */
const eagerRows = 30

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
  onSaved,
  onReadAgain,
  onCancel,
}: EntityFormProps) {
  const [draft, dispatch] = useReducer(change, start)
  const [refused, setRefused] = useState(nothingRefused)
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState<'review' | 'discard'>()
  const [trouble, setTrouble] = useState<Trouble>()
  const [addedRow, setAddedRow] = useState<string>()
  const { revealed, reveal } = useReveal()
  const form = useRef<HTMLFormElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const takesFocus = useRef(afterSave)
  const saving = useMutation(saveEntity(place))
  const settling = useMutation(settleEntity(place))

  const { loaded } = draft
  const isNew = !loaded
  const repeated = useMemo(() => keysLoadedTwice(loaded), [loaded])
  const denied = useDenials(repeated.size > 0)
  const types = useTypeOptions()
  const issues = useMemo(() => issuesOf(draft), [draft])
  const changes = useMemo(() => changesOf(draft), [draft])
  const removedCount = changes.filter(({ kind }) => kind === 'removed').length
  const changedCount = changes.length - removedCount + (isTypeChanged(draft) ? 1 : 0)
  const isDirty = changes.length > 0 || isTypeChanged(draft) || (isNew && draft.type !== '')

  const act = useCallback((action: Action) => {
    dispatch(action)
    if ('id' in action)
      setRefused((before) => {
        if (!before.rows.has(action.id)) return before
        const rows = new Map(before.rows)
        rows.delete(action.id)
        return { ...before, rows }
      })
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
  useEffect(() => {
    if (!trouble) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    invalid?.focus()
    if (invalid) return
    form.current?.focus({ preventScroll: true })
    // The notice stands first.
    form.current?.firstElementChild?.scrollIntoView({ block: 'nearest' })
  }, [trouble])

  const finish = (result: SaveResult) => {
    setAsking(undefined)
    if (result.outcome === 'saved') {
      onSaved(result.entity, changedCount + removedCount)
      return
    }
    setTrouble(result)
    if ('draft' in result) dispatch({ do: 'start again', from: result.draft })
    if (result.outcome === 'failed' && result.request && result.error instanceof ApiError)
      setRefused(placeErrors(result.error.errors, result.request))
  }
  const send = () => {
    setTrouble(undefined)
    setRefused(nothingRefused)
    saving.mutate(draft, { onSuccess: finish })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isDirty || cannotSave(trouble) || saving.isPending) return
    flushSync(() => setTried(true))
    if (issues.rows.size > 0 || issues.type !== undefined)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    else if (isNew) send()
    else setAsking('review')
  }

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
      {trouble && (isDirty || trouble.outcome !== 'conflict') && (
        <SaveNotice
          trouble={trouble}
          pending={settling.isPending}
          onCheck={(attempt, error) => settling.mutate({ attempt, error }, { onSuccess: finish })}
          onReadAgain={onReadAgain}
        />
      )}
      <EntityHead
        draft={draft}
        suggestions={suggestions}
        issue={refused.type ?? (tried || !isNew ? issues.type : undefined)}
        readOnly={denied.write !== undefined}
        aside={aside}
        onType={(type) => {
          dispatch({ do: 'set type', type })
          setRefused(({ rows }) => ({ rows }))
        }}
      />
      {denied.write !== undefined && (
        <p className={classes.note}>{`${text.form.readOnly} ${denied.write}`}</p>
      )}
      {repeated.size > 0 && <p className={classes.warning}>{text.form.repeated([...repeated].join(', '))}</p>}
      {draft.rows.length > 0 && (
        <div className={rowClasses.head} aria-hidden>
          <span>{text.form.key}</span>
          <span>{text.form.propertyType}</span>
          <span>{text.form.value}</span>
        </div>
      )}
      <ul aria-label={text.form.list} className={classes.rows}>
        {draft.rows.map((row, index) => (
          <PropertyRow
            key={row.id}
            row={row}
            types={types}
            issues={issues.rows.get(row.id)}
            showIssues={tried}
            refused={refused.rows.get(row.id)}
            denied={denied}
            repeated={row.loaded !== undefined && repeated.has(row.loaded.key)}
            revealed={revealed === row.id}
            focusKey={addedRow === row.id}
            eager={index < eagerRows}
            onReveal={reveal}
            onAct={act}
          />
        ))}
      </ul>
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
      {asking === 'review' && (
        <ReviewDialog
          draft={draft}
          changes={changes}
          pending={saving.isPending}
          onSave={send}
          onClose={() => setAsking(undefined)}
        />
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

/** What has been written, or may have been, is not sent again. */
function cannotSave(trouble: Trouble | undefined): boolean {
  return trouble?.outcome === 'unknown' || trouble?.outcome === 'saved unread'
}

function useDenials(keysRepeat: boolean): Denials {
  const write = useDenied('entities:write')
  const readSensitive = useDenied('sensitive:read')
  const writeSensitive = useDenied('sensitive:write')
  const replace = keysRepeat ? text.form.repeatedReason : undefined
  return useMemo(
    () => ({ write, readSensitive, writeSensitive, replace }),
    [write, readSensitive, writeSensitive, replace],
  )
}

function useTypeOptions() {
  const { data: known = dataTypes } = useQuery(dataTypesQuery())
  return useMemo(() => known.map((type) => ({ value: type, label: type })), [known])
}
