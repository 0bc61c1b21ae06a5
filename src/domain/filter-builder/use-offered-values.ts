import type { OfferedValue } from './ValueChooser.tsx'

interface Offered {
  readonly offered: readonly OfferedValue[]
  readonly isClosed: boolean
}

const none: Offered = { offered: [], isClosed: false }

/** Returns the values to choose from; none of a sensitive property, whose values are never suggested. */
export function useOfferedValues({
  isSensitive,
  choices,
}: {
  readonly entity: string
  readonly key: string
  readonly isSensitive: boolean
  readonly choices: readonly OfferedValue[] | undefined
}): Offered {
  return isSensitive || choices === undefined ? none : { offered: choices, isClosed: true }
}
