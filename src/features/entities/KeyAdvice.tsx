import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { KnownKey } from '#contract/index.ts'

import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { dataTypeName, entityText } from '../../messages/index.ts'
import type { Action } from './entity-draft.ts'
import { adviceOn } from '../../domain/known-properties/near-key.ts'
import { keyCountQuery } from './queries.ts'
import type { Row } from './row.ts'

const text = entityText.form

export interface KeyAdviceProps {
  readonly row: Row
  /** Type of the entity. */
  readonly entity: string
  /** Of entities of this type. */
  readonly keys: readonly KnownKey[]
  readonly onUse: (key: KnownKey) => void
  readonly onAct: (action: Action) => void
}

/** While a key is typed: that it is close to a known one, or that everybody else's has another type. */
export function KeyAdvice({ row, entity, keys, onUse, onAct }: KeyAdviceProps) {
  const denied = useDenied('users:read', 'segments:read')
  const advice = row.key === row.loaded?.key && row.type === row.loaded.type ? undefined : adviceOn(row, keys)
  const { key = '', type = '' } = advice?.known ?? {}
  const { data } = useQuery({
    ...keyCountQuery(entity, { key, type }),
    // How many have a sensitive one tells of values: a hint is no occasion to ask, and it would be on record.
    enabled:
      advice !== undefined &&
      advice.known.sensitive !== true &&
      denied === undefined &&
      offers('segments.preview'),
  })
  return (
    <Text component="output" display="block" size="xs" c="dimmed">
      {advice && (
        <>
          {text.elsewhere(key, dataTypeName(type), data?.total, data?.isMore === true)}{' '}
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() =>
              advice.about === 'key'
                ? onUse(advice.known)
                : onAct({ do: 'set property type', id: row.id, type })
            }
          >
            {advice.about === 'key' ? text.takeKey(key) : text.takeType(dataTypeName(type))}
          </Button>
        </>
      )}
    </Text>
  )
}
