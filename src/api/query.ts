import { type QueryClient, queryOptions } from '@tanstack/react-query'

import type { EndpointName } from '#contract/index.ts'
import { api, type Api } from './operations.ts'

/** Operations that answer something, which a page can show. */
type ReadName = {
  [Name in EndpointName]: Awaited<ReturnType<Api[Name]>> extends void ? never : Name
}[EndpointName]
type ArgsOf<Name extends EndpointName> = Omit<NonNullable<Parameters<Api[Name]>[0]>, 'signal'>
type QueryAnswer<Name extends EndpointName> = Awaited<ReturnType<Api[Name]>>

/**
 * Query for an operation, under its name and its arguments: `q('getSegment', { params: { segment_id } })`. A file of
 * queries of its own is for those with a policy, such as pages both ways, or a part of the answer that is not kept.
 */
export function q<Name extends ReadName>(name: Name, args?: ArgsOf<Name>) {
  const call = api[name] as (args: object) => Promise<QueryAnswer<Name>>
  return queryOptions({
    queryKey: args === undefined ? ([name] as const) : ([name, args] as const),
    queryFn: ({ signal }) => call({ ...args, signal }),
  })
}

/** Makes everything stale that these operations answered, with whichever arguments. */
export async function invalidate(client: QueryClient, ...names: readonly ReadName[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}
