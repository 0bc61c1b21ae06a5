import { useQuery } from '@tanstack/react-query'

import { type CommonValues, type DataType, entityType, propertyKey } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { keyValuesQuery } from '../queries/keys.ts'
import { draftOf } from '../values/draft.ts'
import type { SubjectProperty } from './draft/subjects.ts'
import type { OfferedValue } from './ValueChooser.tsx'

interface Offered {
  readonly offered: readonly OfferedValue[]
  readonly isClosed: boolean
}

interface Asked {
  readonly entity: string
  readonly key: string
  /** Data type that the test compares with. */
  readonly type: DataType
  /** Undefined if nobody has the property. */
  readonly known: SubjectProperty | undefined
  /** Whether the comparison chooses among values. */
  readonly isChosen: boolean
}

const none: Offered = { offered: [], isClosed: false }

/**
 * Returns the values to choose from: the choices of the definition, or else those that most users have. A sensitive
 * property has none, since its values are never suggested.
 */
export function useOfferedValues({ entity, key, type, known, isChosen }: Asked): Offered {
  const denied = useDenied('entities:read')
  const isAsked = isChosen && denied === undefined && known && !known.sensitive && !known.choices
  const { data } = useQuery({
    ...keyValuesQuery(entity, key),
    enabled: isAsked === true && entityType.safeParse(entity).success && propertyKey.safeParse(key).success,
  })
  if (!known || known.sensitive) return none
  if (known.choices) return { offered: known.choices, isClosed: true }
  return data && isAsked ? { offered: offer(type, data), isClosed: false } : none
}

const offer = (of: DataType, { values }: CommonValues): readonly OfferedValue[] =>
  values.flatMap(({ type, value, users }) =>
    type === of ? [{ value, label: draftOf(of, value).text, users }] : [],
  )
