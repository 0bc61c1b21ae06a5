export const states = ['all', 'waiting', 'final'] as const

/** A page of the deletions, as its address has it. */
export interface DeletedAsked {
  readonly state: (typeof states)[number]
  /** The service's own word for what follows the page before; absent: the newest. */
  readonly offset?: string | undefined
}

/** Reads the list's state and drops values that are not valid. */
export function askedIn(address: URLSearchParams): DeletedAsked {
  return {
    state: states.find((state) => state === address.get('state')) ?? 'all',
    offset: address.get('offset') || undefined,
  }
}
