import { queryOptions } from '@tanstack/react-query'

import {
  type BodyInput,
  type Endpoint,
  type EndpointName,
  type Endpoints,
  endpoints,
  type Params,
  type Query,
  type Reply,
  type WriteName,
} from '#contract/index.ts'
import { ApiError } from './api-error.ts'
import { type Call, isRead, type WriteConditions, run, type Written } from './client.ts'
import { getConnection, isFull } from './connection.ts'
import type { Reasoned, Referenced } from './keyed-writes.ts'

type ParamsArg<E extends Endpoint> = keyof Params<E> extends never ? unknown : { readonly params: Params<E> }
type QueryArg<E extends Endpoint> = [Extract<E['query'] | E['additionalQuery'], object>] extends [never]
  ? unknown
  : { readonly query?: Query<E> }
type BodyArg<E extends Endpoint> = E['body'] extends object ? { readonly body: BodyInput<E> } : unknown
type UploadArg<E extends Endpoint> = E['upload'] extends object ? { readonly upload: Blob } : unknown
type ConditionsArg<E extends Endpoint> = E['method'] extends 'GET' ? unknown : WriteConditions
type ReasonArg<E extends Endpoint> = E['reasoned'] extends true ? Reasoned : unknown
type ReferenceArg<E extends Endpoint> = E['referenced'] extends true ? Referenced : unknown
type Args<E extends Endpoint> = { readonly signal?: AbortSignal } & ParamsArg<E> &
  QueryArg<E> &
  BodyArg<E> &
  UploadArg<E> &
  ConditionsArg<E> &
  ReasonArg<E> &
  ReferenceArg<E>

type OperationAnswer<E extends Endpoint> = E['reply'] extends object
  ? Reply<E>
  : E['file'] extends object
    ? Blob
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
    (call: Call = {}) => (isRead(endpoint) ? run(endpoint, call) : write(name as WriteName, endpoint, call)),
  ]),
) as unknown as Api

/** Whether the service has the operation: a bare one has those of the API document alone. */
export function offers(name: EndpointName): boolean {
  const { addition }: Endpoint = endpoints[name]
  return addition === undefined || isFull()
}

async function write(name: WriteName, endpoint: Endpoint, call: Call): Promise<unknown> {
  const { onWrite } = getConnection()
  const tell = () => onWrite?.(name, call.params ?? {})
  try {
    const answer = await run(endpoint, call)
    tell()
    return answer
  } catch (error) {
    if (!(error instanceof ApiError) || error.mayHaveHappened || error.showsOtherState) tell()
    throw error
  }
}

/** Operations that return data which a page can show. */
export type ReadName = {
  [Name in EndpointName]: Awaited<ReturnType<Api[Name]>> extends void ? never : Name
}[EndpointName]
type ArgsOf<Name extends EndpointName> = Omit<NonNullable<Parameters<Api[Name]>[0]>, 'signal'>
type QueryAnswer<Name extends EndpointName> = Awaited<ReturnType<Api[Name]>>

/**
 * Returns the query for an operation, keyed by its name and arguments: `q('getSegment', { params: { segment_id } })`.
 * A query that does more than ask is filed with `fileUnder` instead.
 */
export function q<Name extends ReadName>(name: Name, args?: ArgsOf<Name>) {
  return queryOptions({
    queryKey: args === undefined ? ([name] as const) : ([name, args] as const),
    // A query writes nothing, even if its operation could: `recoverSubscription` is asked for a dry run.
    queryFn: ({ signal }) => run(endpoints[name], { ...args, signal }) as Promise<QueryAnswer<Name>>,
  })
}

/** Subject of an answer: the ids by which writes find it, and whatever else tells it from other answers. */
export interface About {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly [part: string]: unknown
}

/**
 * Files a query that does more than ask under the operation that it asks, so that the writes which make answers of that
 * operation stale do so with its own.
 */
export function fileUnder<Name extends ReadName, Part extends About>(name: Name, about: Part) {
  return { queryKey: [name, about] as const }
}
