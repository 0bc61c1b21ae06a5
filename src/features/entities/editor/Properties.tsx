import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useCallback, useMemo, useRef } from 'react'

import { dataTypes, type KnownKey } from '#contract/index.ts'
import type { KnownProperties } from '../../../domain/known-properties/use-known-properties.ts'
import { propertyLabel } from '../../../domain/labels.ts'
import { dataTypesQuery } from '../../../domain/queries/entities.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { entityText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import type { Action, EntityDraft, DisabledReasons } from '../draft/entity-draft.ts'
import { EntityTypeContext } from '../draft/entity-type.ts'
import { showsMask, isMasked, newRowId } from '../draft/row.ts'
import type { EntitySave } from '../saving/use-entity-save.ts'
import { Revealable, type RevealableProps } from '../sensitive/AskDialog.tsx'
import { KnownContext, TakenKeysContext, useTakenKeys } from './KeyField.tsx'
import { PropertyList } from './PropertyList.tsx'
import type { RowFocus } from './row-parts.tsx'

function PropertiesNote({ children }: { readonly children: string }) {
  return (
    <Text size="xs" py="xs" c="dimmed">
      {children}
    </Text>
  )
}

export interface TemplatesProps {
  readonly type: string
  readonly onChoose: (keys: readonly KnownKey[]) => void
}

export interface PropertiesProps extends Omit<RevealableProps, 'children'> {
  readonly Templates: ComponentType<TemplatesProps> | undefined
  readonly draft: EntityDraft
  readonly known: KnownProperties
  readonly dispatch: (action: Action) => void
  readonly saving: EntitySave
  readonly denied: DisabledReasons
  readonly repeated: ReadonlySet<string>
  readonly focusRow: RowFocus | undefined
  readonly setFocusRow: (focus: RowFocus) => void
  readonly onHistory: (key?: string) => void
}

export function Properties(props: PropertiesProps) {
  const { place, reveal, draft, known, dispatch, saving, denied, repeated, Templates, setFocusRow } = props
  const { issues, tried, refused, forget } = saving
  const addButton = useRef<HTMLButtonElement>(null)
  const { data: named = dataTypes } = useQuery(dataTypesQuery())
  const types = useMemo(() => named.map((type) => ({ value: type, label: dataTypeName(type) })), [named])
  const act = useCallback(
    (action: Action) => {
      dispatch(action)
      if ('id' in action) forget({ rowId: action.id })
      // The pressed button disappears with its row. A row that stays, marked as removed, takes the focus itself.
      if (action.do === 'remove') addButton.current?.focus()
    },
    [dispatch, forget],
  )
  return (
    <EntityTypeContext value={draft.type}>
      {denied.write !== undefined && (
        <PropertiesNote>{`${entityText.form.readOnly} ${denied.write}`}</PropertiesNote>
      )}
      {repeated.size > 0 && (
        <Text size="sm" py="xs" c="var(--ds-changed)">
          {entityText.form.repeated({
            properties: listNames([...repeated].map((key) => propertyLabel(draft.type, key))),
            count: repeated.size,
          })}
        </Text>
      )}
      {Templates && <Templates type={draft.type} onChoose={(keys) => dispatch({ do: 'offer keys', keys })} />}
      <TakenKeysContext value={useTakenKeys(draft)}>
        <KnownContext value={known}>
          <Revealable {...{ place, reveal }}>
            <PropertyList
              rows={draft.rows}
              types={types}
              issues={issues.rows}
              showIssues={tried}
              refused={refused.rows}
              denied={denied}
              repeated={repeated}
              focusRow={props.focusRow}
              onAct={act}
              onHistory={props.onHistory}
            />
          </Revealable>
        </KnownContext>
      </TakenKeysContext>
      {draft.rows.length === 0 && <PropertiesNote>{entityText.form.none}</PropertiesNote>}
      {denied.write === undefined && (
        <Button
          ref={addButton}
          data-adds-property
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          my="xs"
          onClick={() => {
            const id = newRowId()
            dispatch({ do: 'add', id })
            setFocusRow({ rowId: id, on: 'key' })
          }}
        >
          {entityText.form.addProperty}
        </Button>
      )}
      {draft.rows.some((row) => showsMask(row) && !isMasked(row)) && (
        <PropertiesNote>{entityText.form.onScreenOnly}</PropertiesNote>
      )}
    </EntityTypeContext>
  )
}
