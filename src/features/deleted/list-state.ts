export const deletedStates = ['all', 'waiting', 'final'] as const

/** A page of the deletions, as its address has it. */
export interface DeletedListState {
  readonly state: (typeof deletedStates)[number]
  /** The service's own word for what follows the page before; absent: the newest. */
  readonly offset?: string | undefined
}

/** Reads the list's state and drops values that are not valid. */
export function readListState(address: URLSearchParams): DeletedListState {
  return {
    state: deletedStates.find((state) => state === address.get('state')) ?? 'all',
    offset: address.get('offset') || undefined,
  }
}
