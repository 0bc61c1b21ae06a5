import { Button, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'

import { entityType, type KnownKey } from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { useDenied } from '../../auth/use-session.ts'
import { matchingKeys } from '../../domain/filter-builder/known-keys.ts'
import { adviceOn } from '../../domain/known-properties/known-property.ts'
import type { KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { keysQuery } from '../../domain/queries/keys.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import type { FieldProps } from '../../domain/values/Field.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { Suggest } from '../../domain/values/Suggest.tsx'
import { entityText } from '../../messages/index.ts'
import type { Action, EntityDraft } from './draft/entity-draft.ts'
import { draftOfRow, type DraftRow } from './draft/row.ts'
import { keyCountQuery } from './queries.ts'
import classes from './EditCells.module.css'

interface Offered {
  /** Type of the entity. */
  readonly entity: string
  readonly keys: readonly KnownKey[]
}

const noOffer: Offered = { entity: '', keys: [] }

/** Returns the keys to offer for a row, without those used in other rows; empty if they cannot be read. */
type OfferKeys = (rowId: string) => Promise<Offered>

export const OfferKeysContext = createContext<OfferKeys>(() => Promise.resolve(noOffer))

const nothingKnown: KnownProperties = {
  keys: [],
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

/** Input for a key, with suggestions. A chosen one gives a new row its type and sensitivity unless set by hand. */
export function KeyField({ row, onAct, ...field }: KeyFieldProps) {
  const offerKeys = use(OfferKeysContext)
  const [offered, setOffered] = useState(noOffer)
  // Type and sensitivity that nobody chose by hand: the defaults of a new row, or those of the last chosen key.
  const [given, setGiven] = useState({ type: 'TEXT', sensitive: false })
  const known = use(KnownContext)
  const { id, key, loaded } = row
  const choose = ({ key: chosen, type, sensitive }: KnownKey) => {
    onAct({ do: 'set key', id, key: chosen })
    if (loaded) return
    const isSensitive = sensitive === true
    const isTypeFree = (row.type === given.type || row.chosen?.type !== true) && isBlank(draftOfRow(row))
    if (isTypeFree && known.of(chosen)?.type !== type) onAct({ do: 'set property type', id, type })
    if (known.state === 'none' && row.sensitive === given.sensitive)
      onAct({ do: 'set sensitive', id, sensitive: isSensitive })
    setGiven({ type, sensitive: isSensitive })
  }
  return (
    <>
      <Suggest
        {...field}
        value={key}
        onChange={(next) => onAct({ do: 'set key', id, key: next })}
        onFocus={() => void offerKeys(id).then(setOffered)}
        listLabel={entityText.form.knownKeys}
        options={matchingKeys(offered.keys, key)}
        idOf={({ key: each, type }) => `${type} ${each}`}
        renderOption={(option) => (
          <>
            <span className={classes.knownKey}>{option.key}</span>
            <span className={classes.knownType}>{dataTypeName(option.type)}</span>
            {option.sensitive === true && <SensitiveMark />}
          </>
        )}
        onChoose={choose}
      />
      <KeyAdvice row={row} {...offered} onUse={choose} onAct={onAct} />
    </>
  )
}

/** Returns a function with a stable identity, so that typing does not render every row again. */
export function useOfferKeys(draft: EntityDraft): OfferKeys {
  const client = useQueryClient()
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  return useCallback(
    async (rowId) => {
      const { type } = latest.current
      if (!entityType.safeParse(type).success) return noOffer
      const known = await client.query(keysQuery(type)).catch(() => [])
      const taken = new Set(
        latest.current.rows.flatMap(({ id, key, removed }) =>
          id === rowId || removed === true ? [] : [key],
        ),
      )
      return { entity: type, keys: known.filter(({ key }) => !taken.has(key)) }
    },
    [client],
  )
}

const entityFormText = entityText.form

interface KeyAdviceProps extends Offered, Pick<KeyFieldProps, 'row' | 'onAct'> {
  readonly onUse: (key: KnownKey) => void
}

/** Hint while a key is typed: a known key is similar, or other users have this key with another type. */
function KeyAdvice({ row, entity, keys, onUse, onAct }: KeyAdviceProps) {
  const denied = useDenied('users:read', 'segments:read')
  const { state } = use(KnownContext)
  const advice = row.key === row.loaded?.key && row.type === row.loaded.type ? undefined : adviceOn(row, keys)
  const { key = '', type = '' } = advice?.known ?? {}
  const { data } = useQuery({
    ...keyCountQuery(entity, { key, type }),
    // A count would reveal something about sensitive values and would be recorded; a hint does not justify that.
    enabled:
      advice !== undefined && advice.known.sensitive !== true && denied === undefined && state !== 'none',
  })
  return (
    <Text component="output" display="block" size="xs" c="dimmed">
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
