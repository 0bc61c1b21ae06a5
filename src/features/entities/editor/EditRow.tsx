import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { memo, use, useEffect, useMemo, useRef, useState } from 'react'

import { Lock, TypeChoice } from '../../../domain/known-properties/cells.tsx'
import { RowCells, RowFrame } from '../../../domain/known-properties/RowFrame.tsx'
import { focusValue } from '../../../domain/values/value-focus.ts'
import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { HistoryButton } from '../history/use-history.tsx'
import { RowValue } from '../row/RowValue.tsx'
import { KeyField, KnownContext } from './KeyField.tsx'
import { ConflictNotice, type PropertyRowProps } from './row-parts.tsx'

const entityFormText = entityText.form

/** Property in inputs. */
export function EditRow(props: PropertyRowProps) {
  const { frame, row, issues, showIssues, refused, denied, focus, onAct } = props
  const { id, loaded } = row
  const known = use(KnownContext)
  const entityType = use(EntityTypeContext)
  const label = useLabel()
  const [isLeft, setLeft] = useState(false)
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
  const { undo, setType, setSensitive } = useActs(id, onAct)
  return (
    <RowFrame
      {...frame}
      label={
        <KeyField
          {...{ row, name, onAct }}
          ref={keyInput}
          issue={refused?.key ?? (showIssues || isLeft ? issues?.key : undefined)}
          denied={replaceDenied}
          onBlur={() => setLeft(true)}
        />
      }
    >
      <RowCells
        quiet={
          <TypeChoice
            {...{ id, name }}
            value={row.type}
            options={props.types}
            onChange={setType}
            disabled={sensitiveDenied !== undefined}
            issue={refused?.type ?? issues?.type}
          />
        }
        actions={
          <>
            <Lock
              {...{ name, entityType }}
              property={row.key}
              known={known.of(row.key)}
              isStored={loaded?.sensitive === true && loaded.key === row.key}
              on={row.sensitive}
              onChange={setSensitive}
            />
            <Actions
              {...{ id, name, onAct, undo }}
              about={loaded?.key}
              isUndoable={row.state === 'edited' || (loaded !== undefined && row.edit !== undefined)}
              removeDenied={replaceDenied}
              onHistory={props.onHistory}
            />
          </>
        }
      >
        <ValueCell {...props} undo={undo} />
      </RowCells>
    </RowFrame>
  )
}

/** Value of a row, with what is wrong with it and somebody else's change of it. */
function ValueCell({ undo, ...props }: PropertyRowProps & { readonly undo: () => void }) {
  const { row, issues, showIssues, refused, denied, onAct } = props
  const { properties } = use(KnownContext)
  const [isLeft, setLeft] = useState(false)
  return (
    <>
      <RowValue
        row={row}
        property={properties.find(({ name }) => name === row.key)}
        edit={{
          onAct,
          issues: refused?.value ?? (showIssues || isLeft || row.loaded ? issues?.value : undefined),
          onBlur: () => setLeft(true),
          writeDenied: denied.writeSensitive,
        }}
      />
      <ConflictNotice row={row} onUndo={undo} onKeep={() => onAct({ do: 'keep mine', id: row.id })} />
    </>
  )
}

/** Acts on a row that stay the same while it is edited, for the memoised cells. */
function useActs(id: string, onAct: PropertyRowProps['onAct']) {
  return useMemo(
    () => ({
      undo: () => onAct({ do: 'undo', id }),
      setType: (type: string) => onAct({ do: 'set property type', id, type }),
      setSensitive: (sensitive: boolean) => onAct({ do: 'set sensitive', id, sensitive }),
    }),
    [id, onAct],
  )
}

interface ActionsProps extends Pick<PropertyRowProps, 'onAct' | 'onHistory'> {
  readonly id: string
  readonly name: string
  /** Stored key of the property. */
  readonly about: string | undefined
  readonly isUndoable: boolean
  readonly removeDenied: string | undefined
  readonly undo: () => void
}

/** Buttons of a row. Memoised, so that they do not render again while a value is typed. */
const Actions = memo(function Actions(props: ActionsProps) {
  const { id, name, about, isUndoable, removeDenied, undo, onAct, onHistory } = props
  return (
    <>
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
    </>
  )
})
