import { Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  memo,
  use,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'

import type { Entity, Property } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import type { NamedProperty } from '../../../domain/definitions/definitions.ts'
import { RowCells } from '../../../domain/known-properties/RowFrame.tsx'
import { links } from '../../../domain/links.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { focusValue, putCaretLast } from '../../../domain/values/value-focus.ts'
import { KeptEditsContext } from '../../../domain/writing/kept-edits.tsx'
import { ReasonField, useLastReason } from '../../../domain/writing/reason.tsx'
import { Unsaved } from '../../../domain/writing/unsaved.tsx'
import { entityText } from '../../../messages/index.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isSaveKey } from '../../../ui/keys/shortcut.ts'
import { isTypedAhead, useTypedAhead } from '../../../ui/keys/typed-ahead.ts'
import { isComposing } from '../../../ui/use-pointed.ts'
import { change, type EntityDraft, entityDraftOf, type EntityPath } from '../draft/entity-draft.ts'
import { useLabel } from '../draft/entity-type.ts'
import { type DraftRow, hasNewValue, showsMask } from '../draft/row.ts'
import { useTellSaved } from '../history/undo.ts'
import { HistoryButton, useHistory } from '../history/use-history.tsx'
import { RowValue } from '../row/RowValue.tsx'
import { SaveNotice, SaveQuestions } from '../saving/SaveParts.tsx'
import { type EntitySave, useEntitySave } from '../saving/use-entity-save.ts'
import classes from '../../../domain/known-properties/RowFrame.module.css'

const { reading } = entityText

export interface OpenRowProps {
  readonly userId: string
  readonly entity: Entity
  /** Stored key of the property. */
  readonly about: string
  /** Definition of the property; undefined if there is none. */
  readonly property: NamedProperty | undefined
  /** Called when the row is to be read again. `on`: the next row is to be opened; `left`: the focus is elsewhere. */
  readonly onClose: (to: 'row' | 'on' | 'left') => void
  /** Called with a sensitive value that was saved. */
  readonly onSensitiveSaved: (saved: Pick<Property, 'type' | 'value'>) => void
}

/**
 * One property in its input, in the place of its text. Enter saves it alone, Escape gives up, and Tab saves it and goes
 * on to the next row.
 */
export function OpenRow(props: OpenRowProps) {
  const { userId, entity, about, property, onClose } = props
  const form = useRef<HTMLFormElement>(null)
  const { draft, row, saving, dispatch, save } = useRowEdit(props, form)
  const place = { userId, entityId: entity.id }
  const history = useRowHistory({ place, draft, about, saving, dispatch })
  const label = useLabel()
  const readAgain = useReadAgain(userId, () => onClose('row'))
  const { isDirty, isSending, isUnsettled } = saving
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons within do the same
    <form
      ref={form}
      noValidate
      tabIndex={-1}
      aria-label={reading.oneValue({ label: label(about) })}
      className={classes.body}
      {...handlersOf(saving, save, onClose)}
    >
      <RowCells
        // Before the input in the order of the focus, since Tab leads on from there to the next row.
        quiet={
          <RowTools
            {...{ about, dispatch }}
            rowId={row?.state === 'removed' ? undefined : row?.id}
            type={row?.type}
            isSensitive={row?.sensitive}
            onHistory={history.open}
          />
        }
        actions={
          <>
            {saving.reason.isRequired && (
              <div className={classes.reason}>
                <ReasonField reason={saving.reason} />
              </div>
            )}
            <SaveButtons {...{ isSending, isUnsettled, onClose }} />
          </>
        }
      >
        <div inert={isUnsettled}>
          {row && row.state !== 'removed' ? (
            <ValueOfRow {...{ row, property, saving, dispatch }} />
          ) : (
            <Text size="sm" c="dimmed">
              {reading.willBeRemoved}
            </Text>
          )}
        </div>
      </RowCells>
      <div className={classes.beneath}>
        <SaveNotice draft={draft} saving={saving} onReadAgain={readAgain} />
      </div>
      {isDirty && <Unsaved />}
      {(isSending || isUnsettled) && <Unsaved question={entityText.leaveUnsettled} />}
      {history.panel}
      {saving.asking === 'merge' && <SaveQuestions {...{ place, draft, saving }} />}
      {saving.olderQuestion}
    </form>
  )
}

/** Handlers of the form: what its keys do, and when it closes because the focus is elsewhere. */
function handlersOf(saving: EntitySave, save: Save, onClose: OpenRowProps['onClose']) {
  const { isDirty, isSending, isUnsettled, trouble } = saving
  return {
    onSubmit: (event: FormEvent) => save(event, 'row'),
    onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => {
      const { key, shiftKey, target, repeat } = event
      // React events from the form's dialogs bubble to it, even if the dialogs are elsewhere in the page.
      if (event.defaultPrevented || !(target instanceof Element) || !event.currentTarget.contains(target))
        return
      // Without portals, as in tests, its dialogs are within it.
      if (target.closest('[role="dialog"]')) return
      // In a text of several lines, Enter with Shift begins a new one.
      const isEntered = key === 'Enter' && !shiftKey && target.matches('textarea') && !isComposing(event)
      if (isSaveKey(event) || isEntered) {
        event.preventDefault()
        if (!repeat) save(event, 'row')
      } else if (key === 'Escape' && !isUnsettled && !isSending) {
        event.preventDefault()
        event.stopPropagation()
        onClose('row')
      } else if (key === 'Tab' && !shiftKey && isLastInput(target)) save(event, 'on')
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLFormElement>) => {
      if (isDirty || isUnsettled || trouble || !(relatedTarget instanceof Element)) return
      if (isTypedAhead(relatedTarget)) return
      if (!currentTarget.contains(relatedTarget) && !relatedTarget.closest('[role="dialog"]')) onClose('left')
    },
  }
}

type Save = ReturnType<typeof useRowEdit>['save']

/** Draft of the entity in which only one property is edited, and its save. */
function useRowEdit(props: OpenRowProps, form: RefObject<HTMLFormElement | null>) {
  const { userId, entity, about, onClose, onSensitiveSaved } = props
  const [start] = useState(() => entityDraftOf(entity))
  const [draft, dispatch] = useReducer(change, start, (loaded) => openValue(loaded, about))
  const goesTo = useRef<'row' | 'on'>('row')
  const ahead = useTypedAhead()
  const tellSaved = useTellSaved(userId)
  const row = rowAbout(draft, about)
  const saving = useEntitySave({
    place: { userId, entityId: entity.id },
    start,
    draft,
    dispatch,
    form,
    isReviewed: false,
    lastReason: useLastReason(),
    onSend: () => {
      if (goesTo.current === 'on') ahead.begin()
    },
    onSaved: (saved, sent, theirs) => {
      tellSaved(saved, sent, theirs)
      if (row && isSensitiveWrite(row)) onSensitiveSaved({ type: row.type, value: row.read.value })
      ahead.end(true)
      onClose(goesTo.current)
    },
  })
  useFocus(form, saving)
  const isStopped = saving.trouble !== undefined || saving.asking !== undefined
  useLayoutEffect(() => {
    // Before the focus moves to where it went wrong.
    if (isStopped) ahead.end(false)
  }, [isStopped, ahead])
  const isRemoved = row?.state === 'removed'
  useEffect(() => {
    // The button that removes the value has gone with it.
    if (isRemoved) form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }, [form, isRemoved])
  const save = (event: FormEvent | KeyboardEvent, to: 'row' | 'on') => {
    goesTo.current = to
    if (saving.isDirty || saving.isUnsettled || saving.isSending) return saving.submit(event)
    event.preventDefault()
    onClose(to)
  }
  return { draft, row, saving, dispatch, save }
}

// The buttons and tools are memoised, so that they do not render again while a value is typed.

interface SaveButtonsProps
  extends Pick<EntitySave, 'isSending' | 'isUnsettled'>, Pick<OpenRowProps, 'onClose'> {}

const SaveButtons = memo(function SaveButtons({ isSending, isUnsettled, onClose }: SaveButtonsProps) {
  return (
    <>
      <Button type="submit" size="compact-sm" loading={isSending} disabled={isUnsettled}>
        {reading.save}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        disabled={isUnsettled}
        onClick={() => onClose('row')}
      >
        {reading.cancel}
      </Button>
    </>
  )
})

/** The row of a hidden value has its empty input already, so that nothing typed meets a button. */
function openValue(draft: EntityDraft, about: string): EntityDraft {
  const row = rowAbout(draft, about)
  return row && showsMask(row) ? change(draft, { do: 'replace value', id: row.id }) : draft
}

const rowAbout = ({ rows }: EntityDraft, about: string) =>
  rows.find(({ loaded, key }) => (loaded?.key ?? key) === about)

interface RowPartProps {
  readonly saving: EntitySave
  readonly dispatch: Parameters<typeof useEntitySave>[0]['dispatch']
}

interface ValueOfRowProps extends RowPartProps {
  readonly row: DraftRow
  readonly property: NamedProperty | undefined
}

function ValueOfRow({ row, property, saving, dispatch }: ValueOfRowProps) {
  const { issues, refused, tried } = saving
  const [isLeft, setLeft] = useState(false)
  const writeDenied = useDenied('sensitive:write')
  const { id } = row
  return (
    <RowValue
      {...{ row, property }}
      edit={{
        writeDenied,
        issues: refused.rows.get(id)?.value ?? (tried || isLeft ? issues.rows.get(id)?.value : undefined),
        isKeptAround: true,
        onBlur: () => setLeft(true),
        onAct: dispatch,
      }}
    />
  )
}

interface RowToolsProps extends Pick<RowPartProps, 'dispatch'> {
  /** Id of the row that can be removed; undefined if there is none. */
  readonly rowId: string | undefined
  /** Undefined once somebody else has removed the property. */
  readonly type: string | undefined
  readonly isSensitive: boolean | undefined
  readonly about: string
  readonly onHistory: (key?: string) => void
}

const RowTools = memo(function RowTools(props: RowToolsProps) {
  const { rowId, type, isSensitive, about, dispatch, onHistory } = props
  const label = useLabel()
  return (
    <>
      {type !== undefined && (
        <Text size="xs" c="dimmed">
          {dataTypeName(type)}
          {isSensitive === true && ` · ${reading.sensitive}`}
        </Text>
      )}
      <HistoryButton about={about} onOpen={onHistory} />
      {rowId !== undefined && (
        <IconButton
          aria-label={entityText.form.remove({ label: label(about) })}
          hinted
          onClick={() => dispatch({ do: 'remove', id: rowId })}
        >
          <IconTrash size={16} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
})

/** History of the row's property. What it changes beyond the row is for the editor, where all of it can be seen. */
function useRowHistory({
  place,
  draft,
  about,
  saving,
  dispatch,
}: RowPartProps & {
  readonly place: EntityPath & { readonly entityId: string }
  readonly draft: EntityDraft
  readonly about: string
}) {
  const { userId, entityId } = place
  const navigate = useNavigate()
  const { keep } = use(KeptEditsContext)
  const write = useDenied('entities:write')
  const writeSensitive = useDenied('sensitive:write')
  const readAgain = useReadAgain(userId)
  return useHistory({
    userId,
    entityId,
    draft,
    denied: { write, writeSensitive, replace: undefined },
    isUnsettled: saving.isUnsettled,
    onReadAgain: readAgain,
    onRevertDraft: (from, rowId) => {
      if (rowId !== undefined && rowAbout(from, about)?.id === rowId)
        return dispatch({ do: 'start again', from })
      keep(entityId, from)
      void navigate(links.entity(userId, entityId), { preventScrollReset: true })
    },
  })
}

function useReadAgain(userId: string, then?: () => void) {
  const client = useQueryClient()
  return async () => {
    await client.query({ ...entitiesQuery(userId), staleTime: 0 })
    then?.()
  }
}

/** Focuses the input when the row opens, and again whatever went wrong. */
function useFocus(
  form: { readonly current: HTMLFormElement | null },
  { trouble, asking, tried, issues }: EntitySave,
) {
  useEffect(() => {
    focusValue(form.current)
    putCaretLast(document.activeElement)
  }, [form])
  const isWrong = trouble !== undefined || (tried && issues.rows.size > 0)
  useEffect(() => {
    if (isWrong && asking !== 'merge') focusValue(form.current)
  }, [form, isWrong, asking])
}

/** Whether Tab would leave the value: a value may have several inputs, such as an amount and its currency. */
function isLastInput(target: Element): boolean {
  const inputs = [
    ...(target.closest('[data-value]')?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []),
  ]
  const reached = inputs.filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled, input[type="radio"]:not(:checked)'),
  )
  return reached.at(-1) === target
}

type SavedRow = DraftRow & { readonly read: { readonly value: unknown } }

/** Whether the row saved a sensitive value that the service hides again, even from who typed it. */
function isSensitiveWrite(row: DraftRow): row is SavedRow {
  return (
    row.sensitive && row.state === 'edited' && hasNewValue(row) && row.read !== 'unseen' && !row.read.issues
  )
}
