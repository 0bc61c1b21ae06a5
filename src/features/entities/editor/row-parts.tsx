import { Button, Text } from '@mantine/core'
import { use } from 'react'

import { PropertyText } from '../../../domain/definitions/DefinedValue.tsx'
import type { RowIssues } from '../../../domain/failures/pointers.ts'
import type { RowFrameProps } from '../../../domain/known-properties/RowFrame.tsx'
import { entityText } from '../../../messages/index.ts'
import type { Action, DisabledReasons } from '../draft/entity-draft.ts'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { isSecret, type DraftRow } from '../draft/row.ts'
import { renderTarget } from '../target/TargetLink.tsx'

export interface PropertyRowProps {
  readonly frame: Omit<RowFrameProps, 'label' | 'children'>
  readonly row: DraftRow
  readonly types: readonly { readonly value: string; readonly label: string }[]
  /** Issues of the input. Until a save, those of a key or of a new value are hidden until it was left. */
  readonly issues: RowIssues | undefined
  readonly showIssues: boolean
  /** Issues that the service reported. */
  readonly refused: RowIssues | undefined
  readonly denied: DisabledReasons
  /** Whether the key occurs more than once in the loaded entity. */
  readonly repeated: boolean
  /** Focus request; undefined if the row keeps its focus as it is. */
  readonly focus: RowFocus | undefined
  readonly onAct: (action: Action) => void
  /** Opens the history of the property stored under `key`. */
  readonly onHistory: (key?: string) => void
}

interface ConflictNoticeProps {
  readonly row: DraftRow
  readonly onUndo?: () => void
  readonly onKeep?: () => void
}

/** Notice of somebody else's change, shown beside the edit that would overwrite it. */
export function ConflictNotice({ row, onUndo, onKeep }: ConflictNoticeProps) {
  const { concurrentChange, loaded, before } = row
  const entityType = use(EntityTypeContext)
  const label = useLabel()
  if (concurrentChange === undefined || !row.contested) return null
  return (
    <Text size="xs" c="var(--ds-changed)" py={4} flex="100%">
      {!loaded
        ? entityText.conflict.removed
        : loaded === before
          ? // The other side wrote the key that this row was renamed to; its own property is unchanged.
            entityText.conflict[concurrentChange === 'removed' ? 'removedKey' : 'addedKey']
          : concurrentChange === 'removed'
            ? entityText.conflict.removed
            : isSecret(row)
              ? entityText.conflict.hidden
              : entityText.conflict[concurrentChange].withElements({
                  value: (
                    <PropertyText
                      entityType={entityType}
                      of={loaded.key}
                      type={loaded.type}
                      value={loaded.value}
                      renderLink={renderTarget}
                    />
                  ),
                })}{' '}
      {loaded && onUndo && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={entityText.form.takeTheirs({ label: label(loaded.key) })}
          onClick={onUndo}
        >
          {entityText.form.undoConflict}
        </Button>
      )}{' '}
      {onKeep && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={entityText.form.keepMineOf({ label: label(row.key) })}
          onClick={onKeep}
        >
          {entityText.form.keepMine}
        </Button>
      )}
    </Text>
  )
}

/** Request to focus a row; each request is a new object. */
export interface RowFocus {
  readonly rowId: string
  readonly on: 'key' | 'value'
}
