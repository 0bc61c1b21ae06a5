import { queryOptions } from '@tanstack/react-query'

import { q } from '../../api/index.ts'

/** Polling interval, in milliseconds, while the service counts for the first time. */
const countingPollMs = 2000

export function dictionaryQuery() {
  return queryOptions({
    ...q('getDictionary'),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.made === undefined ? countingPollMs : false),
  })
}
