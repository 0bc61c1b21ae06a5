import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { memo, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'

import type { ValueIssue } from '#contract/index.ts'
import type { KnownProperty } from '../../../domain/known-properties/known-property.ts'
import {
  KnownNote,
  SensitivitySwitch,
  useSensitivity,
} from '../../../domain/known-properties/sensitivity.tsx'
import { Choice } from '../../../domain/values/Field.tsx'
import { ValueInput } from '../../../domain/values/ValueInput.tsx'
import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { draftOfRow, showsMask, loadedDraft, type DraftRow } from '../draft/row.ts'
import { HistoryButton } from '../history/use-history.tsx'
import { SensitiveValue } from '../sensitive/SensitiveValue.tsx'
import { RelationshipInput } from '../target/RelationshipInput.tsx'
import { renderHiddenTarget, renderTarget } from '../target/TargetLink.tsx'
import { KeyField, KnownContext } from './KeyField.tsx'
import { focusValue, ConflictNotice, type PropertyRowProps } from './row-parts.tsx'
import classes from './EditCells.module.css'

const entityFormText = entityText.form

export function EditCells(props: PropertyRowProps) {
  const { row, issues, showIssues, refused, denied, focus, onAct } = props
  const { id, loaded } = row
  const known = use(KnownContext)
  const label = useLabel()
  const [left, setLeft] = useState({ key: false, value: false })
  const keyInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focus?.on === 'key') keyInput.current?.focus()
    if (focus?.on === 'value') focusValue(keyInput.current?.closest('[role="listitem"]') ?? null)
  }, [focus])

  // Accessible names keep the loaded key, so that they stay the same while the key is edited.
  const key = loaded?.key ?? row.key
  const name = key === '' ? entityFormText.unnamed : label(key)
  const isSensitive = row.sensitive || loaded?.sensitive === true
  const sensitiveDenied = isSensitive && loaded ? denied.writeSensitive : undefined
  const replaceDenied = loaded ? (sensitiveDenied ?? denied.replace) : undefined
  const keyIssue = refused?.key ?? (showIssues || left.key ? issues?.key : undefined)
  const undo = useCallback(() => onAct({ do: 'undo', id }), [id, onAct])
  const leave = (part: 'key' | 'value') => () => {
    if (!left[part]) setLeft({ ...left, [part]: true })
  }
  return (
    <>
      <div className={classes.key}>
        <span {...hint(replaceDenied)}>
          <KeyField
            row={row}
            onAct={onAct}
            label={entityFormText.keyOf({ label: name })}
            placeholder={entityFormText.key}
            onBlur={leave('key')}
            readOnly={replaceDenied !== undefined}
            invalid={keyIssue !== undefined}
            describedBy={keyIssue === undefined ? undefined : `${id}-key`}
            mono
            ref={keyInput}
          />
        </span>
        <FieldIssue id={`${id}-key`}>{keyIssue}</FieldIssue>
        {isNoteworthy(row) && <KnownNote row={row} known={known} />}
      </div>
      <TypeCell
        {...{ id, name, onAct }}
        type={row.type}
        types={props.types}
        disabled={sensitiveDenied !== undefined}
        issue={refused?.type ?? issues?.type}
      />
      <div className={classes.value} data-value>
        <ValueCell
          {...props}
          name={name}
          issues={refused?.value ?? (showIssues || left.value || loaded ? issues?.value : undefined)}
          onBlur={leave('value')}
        />
        <ConflictNotice row={row} onUndo={undo} onKeep={() => onAct({ do: 'keep mine', id })} />
      </div>
      <SensitiveSwitch
        {...{ id, name, onAct }}
        property={row.key}
        known={known.of(row.key)}
        isStored={loaded?.sensitive === true && loaded.key === row.key}
        on={row.sensitive}
      />
      <Actions
        {...{ id, name, onAct, undo }}
        about={loaded?.key}
        isUndoable={row.state === 'edited' || (loaded !== undefined && row.edit !== undefined)}
        removeDenied={replaceDenied}
        onHistory={props.onHistory}
      />
    </>
  )
}

/** Whether to show the note about other users' properties: for an added, readable or renamed property. */
const isNoteworthy = ({ state, sensitive, aspects }: DraftRow) =>
  state === 'added' || (state === 'edited' && (!sensitive || aspects.includes('key')))

function FieldIssue({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return children === undefined ? null : (
    <p id={id} className={classes.issue}>
      {children}
    </p>
  )
}

interface ValueCellProps extends Omit<PropertyRowProps, 'issues'> {
  readonly name: string
  readonly issues: readonly ValueIssue[] | undefined
  readonly onBlur: () => void
}

function ValueCell({ row, name, issues, denied, onBlur, onAct, revealed, onReveal, onHide }: ValueCellProps) {
  const known = use(KnownContext)
  return showsMask(row) ? (
    <SensitiveValue
      {...{ row, revealed, onReveal, onHide, onAct, issues, onBlur }}
      writeDenied={denied.writeSensitive}
      renderLink={renderHiddenTarget}
    />
  ) : (
    <ValueInput
      type={row.type}
      draft={draftOfRow(row)}
      stored={loadedDraft(row)}
      label={entityFormText.valueOf({ label: name })}
      issues={issues}
      onBlur={onBlur}
      onChange={(draft) => onAct({ do: 'set value', id: row.id, draft })}
      renderLink={renderTarget}
      relationship={RelationshipInput}
      defined={known.properties.find((each) => each.name === row.key)}
      {...(row.offered === true && { blank: entityText.template.blank })}
    />
  )
}

// The cells below are memoised, so that they do not render again while a value is typed.

interface RowCellProps extends Pick<PropertyRowProps, 'onAct'> {
  readonly id: string
  readonly name: string
}

interface TypeCellProps extends RowCellProps, Pick<PropertyRowProps, 'types'> {
  readonly type: string
  readonly disabled: boolean
  readonly issue: string | undefined
}

const TypeCell = memo(function TypeCell({ id, name, type, types, disabled, issue, onAct }: TypeCellProps) {
  return (
    <div className={classes.type}>
      <Choice
        label={entityFormText.typeOf({ label: name })}
        value={type}
        options={types}
        onChange={(next) => onAct({ do: 'set property type', id, type: next })}
        disabled={disabled}
        invalid={issue !== undefined}
        describedBy={issue === undefined ? undefined : `${id}-type`}
      />
      <FieldIssue id={`${id}-type`}>{issue}</FieldIssue>
    </div>
  )
})

interface SensitiveSwitchProps extends RowCellProps {
  readonly property: string
  readonly known: KnownProperty | undefined
  /** Whether the property is stored as sensitive under its current key. */
  readonly isStored: boolean
  readonly on: boolean
}

const SensitiveSwitch = memo(function SensitiveSwitch(props: SensitiveSwitchProps) {
  const { id, name, property, known, isStored, on, onAct } = props
  const switching = useSensitivity(
    use(EntityTypeContext),
    { key: property, sensitive: on },
    known,
    (sensitive) => onAct({ do: 'set sensitive', id, sensitive }),
    isStored,
  )
  return (
    <SensitivitySwitch
      {...{ switching, on }}
      label={entityFormText.sensitiveOf({ label: name })}
      meaning={entityFormText.sensitive}
      className={classes.sensitive}
    />
  )
})

interface ActionsProps extends RowCellProps, Pick<PropertyRowProps, 'onHistory'> {
  /** Stored key of the property. */
  readonly about: string | undefined
  readonly isUndoable: boolean
  readonly removeDenied: string | undefined
  readonly undo: () => void
}

const Actions = memo(function Actions(props: ActionsProps) {
  const { id, name, about, isUndoable, removeDenied, undo, onAct, onHistory } = props
  return (
    <div className={classes.actions}>
      {isUndoable && (
        <IconButton aria-label={entityFormText.undo({ label: name })} hinted onClick={undo}>
          <IconArrowBackUp size={16} stroke={1.75} />
        </IconButton>
      )}
      {about !== undefined && <HistoryButton about={about} onOpen={onHistory} />}
      <DisabledReason reason={removeDenied}>
        <IconButton
          aria-label={entityFormText.remove({ label: name })}
          hinted
          onClick={() => onAct({ do: 'remove', id })}
        >
          <IconX size={16} stroke={1.75} />
        </IconButton>
      </DisabledReason>
    </div>
  )
})
