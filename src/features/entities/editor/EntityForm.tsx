import { Group, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import {
  type ComponentType,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'

import type { EntityId } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { EntityTypePicker } from '../../../domain/definitions/Picker.tsx'
import { useEntityTypes } from '../../../domain/definitions/use-definitions.ts'
import {
  type KnownProperties,
  useKnownProperties,
} from '../../../domain/known-properties/use-known-properties.ts'
import { typeLabel } from '../../../domain/labels.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { KeptEditsContext } from '../../../domain/writing/kept-edits.tsx'
import { Unsaved } from '../../../domain/writing/unsaved.tsx'
import { entityText } from '../../../messages/index.ts'
import { isSaveKey } from '../../../ui/keys/shortcut.ts'
import {
  type Action,
  applyKnownToDraft,
  change,
  type EntityDraft,
  keysLoadedTwice,
  type DisabledReasons,
} from '../draft/entity-draft.ts'
import { EntityTypeContext } from '../draft/entity-type.ts'
import { isTypeUndecided } from '../draft/merge.ts'
import { showsMask, newRowId } from '../draft/row.ts'
import { HistoryButton, useHistory } from '../history/use-history.tsx'
import { ChangeBar, SaveNotice, SaveQuestions } from '../saving/SaveParts.tsx'
import { type EntitySave, type EntitySaveOptions, useEntitySave } from '../saving/use-entity-save.ts'
import { hideRevealed } from '../sensitive/reveal.ts'
import { PropertyList, type TemplatesProps } from './PropertyList.tsx'
import type { RowFocus } from './PropertyRow.tsx'
import classes from './EntityForm.module.css'

interface EntityFormProps extends Pick<EntitySaveOptions, 'place' | 'start' | 'onSaved'> {
  /** Accessible name of the form. */
  readonly name: string
  /** Heading, and what is beside it. */
  readonly head: ReactNode
  /** Content beside the type: creation time, id, further actions. */
  readonly aside?: ReactNode
  /** Whether the form was remounted after a save or another read, in which case it keeps the focus. */
  readonly afterSave?: boolean
  /** Key of the property whose value takes the focus; `''` for the first property. */
  readonly openedFor?: string | undefined
  /** Whether the form opens with an empty row, which takes the focus. */
  readonly adds?: boolean
  /** Reads the entity again, after a save whose own re-read failed or a write made through the history. */
  readonly onReadAgain: (id: EntityId | undefined) => Promise<void>
  /** Renders the choice of initial keys; for a new entity only. */
  readonly Templates?: ComponentType<TemplatesProps>
  readonly onCancel?: () => void
}

/**
 * Form to view and edit an entity and its properties, or to create one. Remount it (with another `key`) for another
 * entity or a newer state: props never change input that is already typed.
 */
export function EntityForm(props: EntityFormProps) {
  const { place, start, aside, afterSave = false, onSaved, onReadAgain, onCancel } = props
  const { adds = false, openedFor } = props
  const { draft, dispatch, known } = useKeptDraft(place.entityId, start, adds, openedFor)
  const [focusRow, setFocusRow] = useState(() => firstFocus(draft, adds, openedFor))
  const form = useRef<HTMLFormElement>(null)
  const saving = useEntitySave({ place, start, draft, dispatch, form, onSend: hideRevealed, onSaved })
  const { issues, refused, tried, isUnsettled } = saving
  useKeeping(place.entityId, saving.isDirty ? draft : undefined)
  const { loaded, type } = draft
  const repeated = useMemo(() => keysLoadedTwice(loaded), [loaded])
  const denied = useDisabledReasons(repeated.size > 0)
  const history = useHistory({
    userId: place.userId,
    entityId: place.entityId,
    draft,
    denied,
    isUnsettled,
    onReadAgain: () => onReadAgain(loaded?.id),
    onRevertDraft: (from, rowId) => {
      dispatch({ do: 'start again', from })
      setFocusRow(rowId === undefined ? undefined : { rowId, on: 'value' })
    },
  })
  const setType = useCallback((type: string) => dispatch({ do: 'set type', type }), [dispatch])
  useFormFocus(form, saving, afterSave)
  const mayWrite = denied.write === undefined
  return (
    <EntityTypeContext value={type}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons within do the same */}
      <form
        ref={form}
        onSubmit={saving.submit}
        onKeyDown={goOnBySaveKey}
        noValidate
        tabIndex={-1}
        aria-label={props.name}
        className={classes.form}
        // Input typed while the entity is being created would be missing from the request.
        inert={saving.isSending && !loaded}
      >
        <SaveNotice draft={draft} saving={saving} onReadAgain={onReadAgain} />
        {props.head}
        <EntityHead
          loaded={loaded}
          type={type}
          undecided={isTypeUndecided(draft)}
          userId={place.userId}
          issue={refused.type ?? (tried || loaded ? issues.type : undefined)}
          readOnly={!mayWrite || isUnsettled}
          aside={aside}
          onType={setType}
          onHistory={history.open}
        />
        {/* The draft may already be stored; the response would overwrite further edits to it. */}
        <div inert={isUnsettled}>
          <PropertyList
            {...{ place, draft, known, dispatch, saving, denied, repeated, focusRow, setFocusRow }}
            Templates={props.Templates}
            onHistory={history.open}
          />
        </div>
        {(saving.isDirty || !loaded) && mayWrite && (
          <ChangeBar draft={draft} saving={saving} onCancel={onCancel} />
        )}
        {saving.isDirty && place.entityId === undefined && <Unsaved />}
        {(saving.isSending || isUnsettled) && <Unsaved question={entityText.leaveUnsettled} />}
        {history.panel}
        <SaveQuestions place={place} draft={draft} saving={saving} />
        {saving.olderQuestion}
      </form>
    </EntityTypeContext>
  )
}

/** Handles the save shortcut: in the form it presses the submit button, in the review the save button. */
function goOnBySaveKey(event: KeyboardEvent<HTMLFormElement>) {
  if (!isSaveKey(event)) return
  event.preventDefault()
  // A key held down would open the review and confirm it unread.
  if (event.repeat) return
  const dialog = event.target instanceof Element ? event.target.closest('[role="dialog"]') : null
  // React events from the form's dialogs bubble to the form, even if the dialogs are elsewhere in the DOM.
  if (dialog) dialog.querySelector<HTMLElement>('[data-saves]')?.click()
  else event.currentTarget.requestSubmit()
}

/**
 * Restores the kept draft of the entity, and applies the known properties of its type. A hidden value that the editor
 * is opened for has its empty input already, so that nothing typed meets a button.
 */
function useKeptDraft(
  entityId: string | undefined,
  start: EntityDraft,
  adds: boolean,
  openedFor: string | undefined,
) {
  const edits = use(KeptEditsContext)
  const mayReplace = useDenied('sensitive:write') === undefined
  const [typed, act] = useReducer(changeKnown, start, () => {
    const kept = entityId === undefined ? undefined : (edits.of(entityId) as EntityDraft | undefined)
    const draft = kept ?? start
    if (adds) return change(draft, { do: 'add', id: newRowId() })
    const row = openedRow(draft, openedFor)
    const isReplaceable = row !== undefined && showsMask(row) && row.state !== 'removed' && !row.edit
    return isReplaceable && mayReplace ? change(draft, { do: 'replace value', id: row.id }) : draft
  })
  const known = useKnownProperties(typed.type)
  const draft = useMemo(() => applyKnownToDraft(typed, known), [typed, known])
  const dispatch = useCallback((action: Action) => act({ action, known }), [known])
  return { draft, dispatch, known }
}

/** Reducer that applies the known properties before the action, so that it changes the draft the person sees. */
function changeKnown(
  draft: EntityDraft,
  { action, known }: { readonly action: Action; readonly known: KnownProperties },
): EntityDraft {
  return change(applyKnownToDraft(draft, known), action)
}

function useKeeping(entityId: string | undefined, unsaved: EntityDraft | undefined) {
  const { keep } = use(KeptEditsContext)
  useEffect(() => {
    if (entityId !== undefined) keep(entityId, unsaved)
  }, [entityId, keep, unsaved])
}

function openedRow({ rows }: EntityDraft, key: string | undefined) {
  return key === '' ? rows[0] : rows.find(({ loaded }) => key !== undefined && loaded?.key === key)
}

function firstFocus(draft: EntityDraft, adds: boolean, key: string | undefined): RowFocus | undefined {
  const row = adds ? draft.rows.at(-1) : openedRow(draft, key)
  return row && { rowId: row.id, on: adds ? 'key' : 'value' }
}

/** Moves the focus after a dialog closes, and to whatever went wrong. */
function useFormFocus(form: RefObject<HTMLFormElement | null>, saving: EntitySave, afterSave: boolean) {
  const { asking, trouble } = saving
  const takesFocus = useRef(afterSave)
  // A closing dialog focuses the button that opened it, which the save or discard may have removed.
  const isReady = asking === undefined && !trouble
  useEffect(() => {
    if (isReady && takesFocus.current && document.activeElement === document.body)
      form.current?.focus({ preventScroll: true })
    takesFocus.current = true
  }, [isReady, form])
  // The merge question takes precedence; if it is put off, the notice repeats it.
  const shownTrouble = asking === 'merge' ? undefined : trouble
  useEffect(() => {
    if (!shownTrouble) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    invalid?.focus()
    if (invalid) return
    form.current?.focus({ preventScroll: true })
    // The first element of the form is the notice.
    form.current?.firstElementChild?.scrollIntoView({ block: 'nearest' })
  }, [shownTrouble, form])
}

function useDisabledReasons(keysRepeat: boolean): DisabledReasons {
  const write = useDenied('entities:write')
  const writeSensitive = useDenied('sensitive:write')
  const replace = keysRepeat ? entityText.form.repeatedReason : undefined
  return useMemo(() => ({ write, writeSensitive, replace }), [write, writeSensitive, replace])
}

interface EntityHeadProps {
  readonly loaded: EntityDraft['loaded'] | undefined
  readonly type: string
  /** Whether somebody else changed the type too, so that one of the two must be chosen. */
  readonly undecided: boolean
  readonly userId: string
  readonly issue: string | undefined
  readonly readOnly: boolean
  readonly onType: (type: string) => void
  readonly onHistory: () => void
  readonly aside: ReactNode
}

/** Entity types that are suggested to all; any other one can be typed. */
const usualTypes = ['person', 'car', 'address']

/** Input for the entity type, with suggestions. Memoised, so that typing in a property does not render it again. */
const EntityHead = memo(function EntityHead(props: EntityHeadProps) {
  const { loaded, type, undecided, userId, issue, readOnly, aside } = props
  const id = useId()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const own = useMemo(() => [...new Set([...usualTypes, ...all.map((entity) => entity.type)])], [all])
  const types = useEntityTypes(own)
  return (
    <Group gap="4px 16px" pb="sm">
      <Group component={readOnly ? 'div' : 'label'} gap="xs" wrap="nowrap">
        <Text span size="sm" c="dimmed" flex="none">
          {entityText.form.typeLabel}
        </Text>
        {readOnly ? (
          <Text span size="sm">
            {typeLabel(type)}
          </Text>
        ) : (
          <EntityTypePicker
            types={types}
            label={entityText.form.type}
            value={type}
            placeholder={entityText.form.typePlaceholder}
            onChange={props.onType}
            invalid={issue !== undefined}
            describedBy={issue === undefined ? undefined : `${id}-issue`}
            size={24}
          />
        )}
      </Group>
      {loaded && <HistoryButton onOpen={props.onHistory} />}
      {aside}
      {issue !== undefined && (
        <Text id={`${id}-issue`} flex="100%" size="xs" c="red">
          {issue}
        </Text>
      )}
      {undecided && (
        <Text flex="100%" size="sm" c="var(--ds-changed)" py="xs">
          {entityText.conflict.type({ type: typeLabel(loaded?.type ?? '') })}
        </Text>
      )}
    </Group>
  )
})
