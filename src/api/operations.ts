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
type QueryArg<E extends Endpoint> = [QueryOf<E>] extends [never] ? unknown : { readonly query?: Query<E> }
type BodyArg<E extends Endpoint> = E['body'] extends object ? { readonly body: BodyInput<E> } : unknown
type QueryOf<E extends Endpoint> = E['query'] extends object
  ? E
  : E['additionalQuery'] extends object
    ? E
    : never
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
