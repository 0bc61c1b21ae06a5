import { Button, Text } from '@mantine/core'
import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { memo, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'

import { Lock, TypeChoice } from '../../../domain/known-properties/cells.tsx'
import { RowCells, RowFrame } from '../../../domain/known-properties/RowFrame.tsx'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { focusValue, useFocusKept } from '../../../domain/values/value-focus.ts'
import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { Action, DisabledReasons } from '../draft/entity-draft.ts'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { type DraftRow, isSecret } from '../draft/row.ts'
import { HistoryButton } from '../history/use-history.tsx'
import { RowValue } from '../row/RowValue.tsx'
import { PropertyValue } from '../saving/ChangesTable.tsx'
import { RevealContext } from '../sensitive/reveal.ts'
import { renderTarget } from '../target/TargetLink.tsx'
import { KeyField, type KeyFieldProps } from './KeyField.tsx'

const { form: formText, conflict: conflictText } = entityText

/** Request to focus a row; each request is a new object. */
export interface RowFocus {
  readonly rowId: string
  readonly on: 'key' | 'value'
}

export interface PropertyRowProps extends Omit<KeyFieldProps, 'name' | 'ref' | 'denied'> {
  readonly types: readonly { readonly value: string; readonly label: string }[]
  readonly denied: DisabledReasons
  /** Whether the key occurs more than once in the loaded entity. */
  readonly repeated: boolean
  /** Focus request; undefined if the row keeps its focus as it is. */
  readonly focus: RowFocus | undefined
  /** Opens the history of the property stored under `key`. */
  readonly onHistory: (key?: string) => void
}

/** Row of one property: in inputs, or as text if it cannot be edited or is marked as removed. */
export const PropertyRow = memo(function PropertyRow(props: PropertyRowProps) {
  const { row, known, issues, showIssues, refused, denied, repeated, focus, onAct } = props
  const { id, loaded } = row
  const label = useLabel()
  const element = useRef<HTMLDivElement>(null)
  const keyInput = useRef<HTMLInputElement>(null)
  const [isLeft, setLeft] = useState(false)
  const focusKept = useFocusKept(element)
  // Hiding a value beside its replacement removes the button that has the focus.
  use(RevealContext)
  useEffect(() => {
    if (focus?.on === 'key') keyInput.current?.focus()
    if (focus?.on === 'value') focusValue(element.current)
  }, [focus])
  const setType = useCallback((type: string) => onAct({ do: 'set property type', id, type }), [id, onAct])

  const isRemoved = row.state === 'removed'
  const isText = denied.write !== undefined || repeated || isRemoved
  // Accessible names keep the loaded key, so that they stay the same while the key is edited.
  const key = loaded?.key ?? row.key
  const name = key === '' ? formText.unnamed : label(key)
  const isSensitive = row.sensitive || loaded?.sensitive === true
  const sensitiveDenied = isSensitive && loaded ? denied.writeSensitive : undefined
  const replaceDenied = loaded ? (sensitiveDenied ?? denied.replace) : undefined
  const about = isText ? key : row.key
  const edit = {
    onAct,
    issues: refused?.value ?? (showIssues || isLeft || loaded ? issues?.value : undefined),
    onBlur: () => setLeft(true),
    writeDenied: denied.writeSensitive,
  }
  return (
    <RowFrame
      {...frameOf(row)}
      {...focusKept}
      ref={element}
      data-state={row.state}
      data-text={isText || undefined}
      label={
        isText ? (
          <TextLabel {...{ row, repeated }} />
        ) : (
          <KeyField {...props} name={name} ref={keyInput} denied={replaceDenied} />
        )
      }
    >
      <RowCells
        quiet={
          isText ? (
            <TextName row={row}>{dataTypeName((loaded ?? row).type)}</TextName>
          ) : (
            <TypeChoice
              {...{ id, name }}
              value={row.type}
              options={props.types}
              onChange={setType}
              disabled={sensitiveDenied !== undefined}
              issue={refused?.type ?? issues?.type}
            />
          )
        }
        actions={<RowActions {...props} {...{ name, isText, replaceDenied }} />}
      >
        {isRemoved ? (
          formText.removed
        ) : (
          <RowValue
            row={row}
            property={known.properties.find((each) => each.name === about)}
            edit={isText ? undefined : edit}
          />
        )}
        <ConflictNotice row={row} onAct={isText ? undefined : onAct} />
      </RowCells>
    </RowFrame>
  )
})

/** Attributes of the frame of a row, however much of it is drawn. */
export const frameOf = (row: DraftRow) => ({
  place: 'form' as const,
  // Not an <li>, since a <ul> allows no blocks between itself and its rows.
  role: 'listitem',
  'data-sensitive': row.sensitive || row.loaded?.sensitive === true || undefined,
})

/** Text of a row that is not in inputs, struck through if the property is marked as removed. */
function TextName({ row, children }: { readonly row: DraftRow; readonly children: string }) {
  return row.state === 'removed' ? <s>{children}</s> : <span>{children}</span>
}

function TextLabel({ row, repeated }: Pick<PropertyRowProps, 'row' | 'repeated'>) {
  return (
    <>
      <TextName row={row}>{(row.loaded ?? row).key}</TextName>{' '}
      {row.sensitive && row.state !== 'removed' && <SensitiveMark />}
      {repeated && (
        <Text size="xs" c="dimmed" ff="text">
          {formText.repeatedReason}
        </Text>
      )}
    </>
  )
}

interface RowActionsProps extends Pick<PropertyRowProps, 'row' | 'known' | 'denied' | 'onAct' | 'onHistory'> {
  /** Label of the property. */
  readonly name: string
  readonly isText: boolean
  readonly replaceDenied: string | undefined
}

function RowActions({ row, known, denied, name, isText, replaceDenied, ...acts }: RowActionsProps) {
  const { onAct, onHistory } = acts
  const { id, key, loaded } = row
  const entityType = use(EntityTypeContext)
  const setSensitive = useCallback(
    (sensitive: boolean) => onAct({ do: 'set sensitive', id, sensitive }),
    [id, onAct],
  )
  if (row.state === 'removed')
    return (
      denied.write === undefined && (
        <IconButton
          // The pressed remove button is gone; this button takes its place and the focus.
          ref={takeFocus}
          aria-label={formText.undoRemoval({ label: name })}
          hinted
          onClick={() => onAct({ do: 'undo', id })}
        >
          <IconArrowBackUp size={16} stroke={1.75} />
        </IconButton>
      )
    )
  if (isText) return <HistoryButton about={(loaded ?? row).key} onOpen={onHistory} />
  return (
    <>
      <Lock
        {...{ name, entityType }}
        property={key}
        known={known.of(key)}
        isStored={loaded?.sensitive === true && loaded.key === key}
        on={row.sensitive}
        onChange={setSensitive}
      />
      <EditButtons
        {...{ id, name, onAct, onHistory }}
        about={loaded?.key}
        isUndoable={row.state === 'edited' || (loaded !== undefined && row.edit !== undefined)}
        removeDenied={replaceDenied}
      />
    </>
  )
}

function takeFocus(element: HTMLElement | null) {
  element?.focus()
}

interface EditButtonsProps extends Pick<PropertyRowProps, 'onAct' | 'onHistory'> {
  readonly id: string
  readonly name: string
  /** Stored key of the property. */
  readonly about: string | undefined
  readonly isUndoable: boolean
  readonly removeDenied: string | undefined
}

/** Buttons of a row in inputs. Memoised, so that they do not render again while a value is typed. */
const EditButtons = memo(function EditButtons(props: EditButtonsProps) {
  const { id, name, about, isUndoable, removeDenied, onAct, onHistory } = props
  return (
    <>
      {isUndoable && (
        <IconButton
          aria-label={formText.undo({ label: name })}
          hinted
          onClick={() => onAct({ do: 'undo', id })}
        >
          <IconArrowBackUp size={16} stroke={1.75} />
        </IconButton>
      )}
      {about !== undefined && <HistoryButton about={about} onOpen={onHistory} />}
      <DisabledReason reason={removeDenied}>
        <IconButton
          aria-label={formText.remove({ label: name })}
          hinted
          onClick={() => onAct({ do: 'remove', id })}
        >
          <IconX size={16} stroke={1.75} />
        </IconButton>
      </DisabledReason>
    </>
  )
})

interface ConflictNoticeProps {
  readonly row: DraftRow
  /** Undefined if the row cannot be decided here. */
  readonly onAct: ((action: Action) => void) | undefined
}

/** Notice of somebody else's change, shown beside the edit that would overwrite it. */
function ConflictNotice({ row, onAct }: ConflictNoticeProps) {
  const { id, key, concurrentChange, loaded } = row
  const label = useLabel()
  if (concurrentChange === undefined || !row.contested) return null
  return (
    <Text size="xs" c="var(--ds-changed)" py={4} flex="100%">
      {describeConflict(row, loaded && <PropertyValue of={loaded} renderLink={renderTarget} />)}{' '}
      {onAct && loaded && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={formText.takeTheirs({ label: label(loaded.key) })}
          onClick={() => onAct({ do: 'undo', id })}
        >
          {formText.undoConflict}
        </Button>
      )}{' '}
      {onAct && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={formText.keepMineOf({ label: label(key) })}
          onClick={() => onAct({ do: 'keep mine', id })}
        >
          {formText.keepMine}
        </Button>
      )}
    </Text>
  )
}

function describeConflict(row: DraftRow, value: ReactNode): ReactNode {
  const { concurrentChange = 'changed', loaded, before } = row
  // The other side wrote the key that this row was renamed to; its own property is unchanged.
  if (loaded && loaded === before)
    return conflictText[concurrentChange === 'removed' ? 'removedKey' : 'addedKey']
  if (!loaded || concurrentChange === 'removed') return conflictText.removed
  return isSecret(row) ? conflictText.hidden : conflictText[concurrentChange].withElements({ value })
}
