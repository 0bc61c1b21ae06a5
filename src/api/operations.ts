import { type QueryClient, queryOptions } from '@tanstack/react-query'

import {
  type BodyInput,
  type Endpoint,
  type EndpointName,
  type Endpoints,
  endpoints,
  type Params,
  type Query,
  type Reply,
} from '#contract/index.ts'

import { type Call, type WriteConditions, run, type Written } from './client.ts'
import type { Reasoned, Referenced } from './keyed-writes.ts'

type ParamsArg<E extends Endpoint> = keyof Params<E> extends never ? unknown : { readonly params: Params<E> }
type QueryArg<E extends Endpoint> = [Extract<E['query'] | E['additionalQuery'], object>] extends [never]
  ? unknown
  : { readonly query?: Query<E> }
type BodyArg<E extends Endpoint> = E['body'] extends object ? { readonly body: BodyInput<E> } : unknown
type ConditionsArg<E extends Endpoint> = E['method'] extends 'GET' ? unknown : WriteConditions
type ReasonArg<E extends Endpoint> = E['reasoned'] extends true ? Reasoned : unknown
type ReferenceArg<E extends Endpoint> = E['referenced'] extends true ? Referenced : unknown
type Args<E extends Endpoint> = { readonly signal?: AbortSignal } & ParamsArg<E> &
  QueryArg<E> &
  BodyArg<E> &
  ConditionsArg<E> &
  ReasonArg<E> &
  ReferenceArg<E>

type OperationAnswer<E extends Endpoint> = E['reply'] extends object
  ? Reply<E>
  : E['status'][number] extends 204
    ? void
    : Written

type Caller<E extends Endpoint> =
  Partial<Args<E>> extends Args<E>
    ? (args?: Args<E>) => Promise<OperationAnswer<E>>
    : (args: Args<E>) => Promise<OperationAnswer<E>>

/** API client: one function per operation of the contract, under its name. */
export type Api = { readonly [Name in EndpointName]: Caller<Endpoints[Name]> }

export const api = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [
    name,
    (call: Call = {}) => run(endpoint, call),
  ]),
) as unknown as Api

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
