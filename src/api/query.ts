import { type QueryClient, queryOptions } from '@tanstack/react-query'

import type { EndpointName } from '#contract/index.ts'
import { api, type Api } from './operations.ts'

/** Operations that return data which a page can show. */
type ReadName = {
  [Name in EndpointName]: Awaited<ReturnType<Api[Name]>> extends void ? never : Name
}[EndpointName]
type ArgsOf<Name extends EndpointName> = Omit<NonNullable<Parameters<Api[Name]>[0]>, 'signal'>
type QueryAnswer<Name extends EndpointName> = Awaited<ReturnType<Api[Name]>>

/**
 * Returns the query for an operation, keyed by its name and arguments: `q('getSegment', { params: { segment_id } })`.
 * Queries with their own policy, such as pages in both directions or a partial answer that is not kept, have their own
 * files.
 */
export function q<Name extends ReadName>(name: Name, args?: ArgsOf<Name>) {
  const call = api[name] as (args: object) => Promise<QueryAnswer<Name>>
  return queryOptions({
    queryKey: args === undefined ? ([name] as const) : ([name, args] as const),
    queryFn: ({ signal }) => call({ ...args, signal }),
  })
}

/** Invalidates all cached answers of these operations, whatever their arguments. */
export async function invalidate(client: QueryClient, ...names: readonly ReadName[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}
