import { IconArrowBackUp, IconLock, IconLockOpen, IconX } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { entityText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Choice } from '../../domain/values/Field.tsx'
import { ValueInput } from '../../domain/values/ValueInput.tsx'
import { draftOfRow, isHidden } from './row.ts'
import { HistoryButton } from './history/HistoryButton.tsx'
import { KeyField } from './KeyField.tsx'
import classes from './PropertyRow.module.css'
import { Meanwhile, type PropertyRowProps, renderHiddenTarget, renderTarget } from './row-parts.tsx'
import { SensitiveValue } from './SensitiveValue.tsx'
import { RelationshipInput } from './target/RelationshipInput.tsx'

/** A property in its inputs. */
export function EditCells(props: PropertyRowProps) {
  const { row, types, issues, showIssues, refused, denied, revealed, focusKey } = props
  const { onReveal, onHide, onAct, onHistory } = props
  const { id, loaded } = row
  const [left, setLeft] = useState({ key: false, value: false })
  const keyInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusKey) keyInput.current?.focus()
  }, [focusKey])

  // What the inputs are called stays the same while the key is typed.
  const key = loaded?.key ?? (row.key || entityText.form.unnamed)
  const isChanged = row.state === 'edited'
  const isOpened = loaded !== undefined && row.edit !== undefined
  const isSensitive = row.sensitive || loaded?.sensitive === true
  const sensitiveDenied = isSensitive && loaded ? denied.writeSensitive : undefined
  const renameDenied = loaded ? (sensitiveDenied ?? denied.replace) : undefined
  const keyIssue = refused?.key ?? (showIssues || left.key ? issues?.key : undefined)
  const typeIssue = refused?.type ?? issues?.type
  const valueIssues = refused?.value ?? (showIssues || left.value || loaded ? issues?.value : undefined)
  const undo = useCallback(() => {
    onAct({ do: 'undo', id })
    keyInput.current?.focus()
  }, [id, onAct])
  const remove = useCallback(() => onAct({ do: 'remove', id }), [id, onAct])
  const leave = (part: 'key' | 'value') => () => {
    if (!left[part]) setLeft({ ...left, [part]: true })
  }

  // While a value is typed these stay as they are.
  const typeChoice = useMemo(
    () => (
      <Choice
        label={entityText.form.typeOf(key)}
        value={row.type}
        options={types}
        onChange={(type) => onAct({ do: 'set property type', id, type })}
        disabled={sensitiveDenied !== undefined}
        invalid={typeIssue !== undefined}
        describedBy={typeIssue === undefined ? undefined : `${id}-type`}
      />
    ),
    [id, key, row.type, types, sensitiveDenied, typeIssue, onAct],
  )
  const sensitiveSwitch = useMemo(
    () => (
      <label
        className={classes.sensitive}
        data-on={row.sensitive || undefined}
        {...hint(denied.writeSensitive ?? entityText.form.sensitive)}
      >
        <input
          type="checkbox"
          className="ds-visually-hidden"
          checked={row.sensitive}
          // Not `disabled`, which would take it out of the keyboard's reach together with its reason.
          aria-disabled={denied.writeSensitive !== undefined || undefined}
          onChange={(event) => {
            if (denied.writeSensitive === undefined)
              onAct({ do: 'set sensitive', id, sensitive: event.currentTarget.checked })
          }}
          aria-label={entityText.form.sensitiveOf(key)}
        />
        {row.sensitive ? (
          <IconLock size={15} stroke={2} aria-hidden />
        ) : (
          <IconLockOpen size={15} stroke={1.5} aria-hidden />
        )}
      </label>
    ),
    [id, key, row.sensitive, denied.writeSensitive, onAct],
  )
  const isUndoable = isChanged || isOpened
  const removeDenied = loaded ? (sensitiveDenied ?? denied.replace) : undefined
  const actions = useMemo(
    () => (
      <div className={classes.actions}>
        {isUndoable && (
          <IconButton
            aria-label={entityText.form.undo(key)}
            {...hint(entityText.form.undo(key))}
            onClick={undo}
          >
            <IconArrowBackUp size={16} stroke={1.75} />
          </IconButton>
        )}
        {loaded && <HistoryButton about={loaded.key} denied={denied.history} onOpen={onHistory} />}
        <DisabledReason reason={removeDenied}>
          <IconButton
            aria-label={entityText.form.remove(key)}
            {...hint(entityText.form.remove(key))}
            onClick={remove}
          >
            <IconX size={16} stroke={1.75} />
          </IconButton>
        </DisabledReason>
      </div>
    ),
    [key, loaded, isUndoable, removeDenied, denied.history, onHistory, undo, remove],
  )

  return (
    <>
      <div className={classes.key}>
        <span {...hint(renameDenied)}>
          <KeyField
            row={row}
            onAct={onAct}
            label={entityText.form.keyOf(key)}
            placeholder={entityText.form.key}
            onBlur={leave('key')}
            readOnly={renameDenied !== undefined}
            invalid={keyIssue !== undefined}
            describedBy={keyIssue === undefined ? undefined : `${id}-key`}
            mono
            ref={keyInput}
          />
        </span>
        {keyIssue !== undefined && (
          <p id={`${id}-key`} className={classes.issue}>
            {keyIssue}
          </p>
        )}
      </div>
      <div className={classes.type}>
        {typeChoice}
        {typeIssue !== undefined && (
          <p id={`${id}-type`} className={classes.issue}>
            {typeIssue}
          </p>
        )}
      </div>
      <div className={classes.value}>
        {isHidden(row) ? (
          <SensitiveValue
            row={row}
            revealed={revealed}
            onReveal={onReveal}
            onHide={onHide}
            onAct={onAct}
            readDenied={denied.readSensitive}
            writeDenied={denied.writeSensitive}
            issues={valueIssues}
            onBlur={leave('value')}
            renderLink={renderHiddenTarget}
          />
        ) : (
          <ValueInput
            type={row.type}
            draft={draftOfRow(row)}
            label={entityText.form.valueOf(key)}
            issues={valueIssues}
            onBlur={leave('value')}
            onChange={(draft) => onAct({ do: 'set value', id, draft })}
            renderLink={renderTarget}
            relationship={RelationshipInput}
            {...(row.offered === true && { blank: entityText.template.blank })}
          />
        )}
        <Meanwhile
          row={row}
          onUndo={undo}
          onKeep={() => {
            onAct({ do: 'keep mine', id })
            keyInput.current?.focus()
          }}
        />
      </div>
      {sensitiveSwitch}
      {actions}
    </>
  )
}
