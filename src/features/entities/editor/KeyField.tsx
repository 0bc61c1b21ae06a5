import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import type { KnownKey } from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { PropertyPicker } from '../../../domain/definitions/Picker.tsx'
import { adviceOn } from '../../../domain/known-properties/known-property.ts'
import type { KnownProperties } from '../../../domain/known-properties/use-known-properties.ts'
import { focusValue } from '../../../domain/known-properties/value-focus.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import type { FieldProps } from '../../../domain/values/Field.tsx'
import { entityText } from '../../../messages/index.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import type { Action, EntityDraft } from '../draft/entity-draft.ts'
import { EntityTypeContext } from '../draft/entity-type.ts'
import { draftOfRow, type DraftRow } from '../draft/row.ts'
import { keyCountQuery } from './queries.ts'

/** Returns the keys of a draft's other rows, which a row must not have too. */
type TakenKeys = (rowId: string) => ReadonlySet<string>

const noneTaken: ReadonlySet<string> = new Set()

export const TakenKeysContext = createContext<TakenKeys>(() => noneTaken)

const nothingKnown: KnownProperties = {
  keys: [],
  properties: [],
  of: () => undefined,
  state: 'none',
  error: undefined,
  retry: () => undefined,
}

export const KnownContext = createContext(nothingKnown)

export interface KeyFieldProps extends Omit<FieldProps, 'value' | 'onChange'> {
  readonly row: DraftRow
  readonly onAct: (action: Action) => void
}

/** Input for a key. A chosen property gives a new row its type and sensitivity unless set by hand. */
export function KeyField({ row, onAct, ...field }: KeyFieldProps) {
  const takenKeys = use(TakenKeysContext)
  const [taken, setTaken] = useState(noneTaken)
  // Type and sensitivity that nobody chose by hand: the defaults of a new row, or those of the last chosen key.
  const [given, setGiven] = useState({ type: 'TEXT', sensitive: false })
  const known = use(KnownContext)
  const { id, key, loaded } = row
  const properties = useMemo(
    () => (taken.size === 0 ? known.properties : known.properties.filter(({ name }) => !taken.has(name))),
    [known.properties, taken],
  )
  const choose = (chosen: string, type: string | undefined, sensitive: boolean) => {
    onAct({ do: 'set key', id, key: chosen })
    if (loaded || type === undefined) return
    const isTypeFree = (row.type === given.type || row.chosen?.type !== true) && isBlank(draftOfRow(row))
    if (isTypeFree && known.of(chosen)?.type !== type) onAct({ do: 'set property type', id, type })
    if (known.state === 'none' && row.sensitive === given.sensitive)
      onAct({ do: 'set sensitive', id, sensitive })
    setGiven({ type, sensitive })
  }
  return (
    <>
      <PropertyPicker
        {...field}
        value={key}
        properties={properties}
        onChange={(next) => onAct({ do: 'set key', id, key: next })}
        onFocus={() => setTaken(takenKeys(id))}
        onChoose={({ name, type, sensitive }) => choose(name, type, sensitive)}
        onEntered={(input) => focusValue(input.closest('[role="listitem"]'))}
      />
      <KeyAdvice
        row={row}
        taken={taken}
        onUse={({ key: near, type, sensitive }) => choose(near, type, sensitive === true)}
        onAct={onAct}
      />
    </>
  )
}

/** Returns a function with a stable identity, so that typing does not render every row again. */
export function useTakenKeys(draft: EntityDraft): TakenKeys {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  return useCallback(
    (rowId) =>
      new Set(
        latest.current.rows.flatMap(({ id, key, removed }) =>
          id === rowId || removed === true || key === '' ? [] : [key],
        ),
      ),
    [],
  )
}

const entityFormText = entityText.form

interface KeyAdviceProps extends Pick<KeyFieldProps, 'row' | 'onAct'> {
  readonly taken: ReadonlySet<string>
  readonly onUse: (key: KnownKey) => void
}

/** Hint while a key is typed: a known key is similar, or other users have this key with another type. */
function KeyAdvice({ row, taken, onUse, onAct }: KeyAdviceProps) {
  const denied = useDenied('users:read', 'segments:read')
  const entity = use(EntityTypeContext) ?? ''
  const { keys, state } = use(KnownContext)
  const isAsLoaded = row.key === row.loaded?.key && row.type === row.loaded.type
  const free = keys.filter((each) => !taken.has(each.key))
  const advice = isAsLoaded ? undefined : adviceOn(row, free)
  const { key = '', type = '' } = advice?.known ?? {}
  const { data } = useQuery({
    ...keyCountQuery(entity, { key, type }),
    // A count would reveal something about sensitive values and would be recorded; a hint does not justify that.
    enabled:
      advice !== undefined && advice.known.sensitive !== true && denied === undefined && state !== 'none',
  })
  return (
    <Text component="div" size="xs" c="dimmed">
      <Announced>
        {advice && (
          <>
            {describeElsewhere({ key, type: dataTypeName(type) }, data)}{' '}
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() =>
                advice.about === 'key'
                  ? onUse(advice.known)
                  : onAct({ do: 'set property type', id: row.id, type })
              }
            >
              {advice.about === 'key'
                ? entityFormText.takeKey({ key })
                : entityFormText.takeType({ type: dataTypeName(type) })}
            </Button>
          </>
        )}
      </Announced>
    </Text>
  )
}

function describeElsewhere(
  named: { readonly key: string; readonly type: string },
  counted: { readonly total: number; readonly isMore: boolean } | undefined,
): string {
  const { uncounted, counted: exact, more } = entityFormText.elsewhere
  if (!counted) return uncounted(named)
  return counted.isMore ? more({ ...named, users: counted.total }) : exact({ ...named, users: counted.total })
}
