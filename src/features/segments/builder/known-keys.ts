import { useQuery } from '@tanstack/react-query'

import { entityType, type KnownKey } from '#contract/index.ts'
import { offers } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { keysQuery } from '../../../domain/queries/keys.ts'
import { useSettled } from '../../../ui/use-settled.ts'

/** Between two letters of a type. */
const settledMs = 250
const none: readonly KnownKey[] = []

/** The keys that entities of a type have, as far as the service tells; none while the type is being written. */
export function useKnownKeys(written: string): readonly KnownKey[] {
  const type = useSettled(written, settledMs)
  const denied = useDenied('entities:read')
  const { data = none } = useQuery({
    ...keysQuery(type),
    enabled: offers('keys') && denied === undefined && entityType.safeParse(type).success,
  })
  return type === written ? data : none
}

/** More are found by typing. */
const shownKeys = 50

/** What begins with what is typed first, then what holds it. */
export function matchingKeys(known: readonly KnownKey[], typed: string): readonly KnownKey[] {
  const sought = typed.trim().toLowerCase()
  const places = known.map((option) => ({ option, at: option.key.toLowerCase().indexOf(sought) }))
  return [...places.filter(({ at }) => at === 0), ...places.filter(({ at }) => at > 0)]
    .slice(0, shownKeys)
    .map(({ option }) => option)
}
