import {
  type BodyInput,
  dataTypeEndpoints,
  type Endpoint,
  type EndpointName,
  type Endpoints,
  entityAdditions,
  entityEndpoints,
  capabilityEndpoints,
  type Params,
  type Query,
  type Reply,
  userAdditions,
  userEndpoints,
} from '#contract/index.ts'

import { type Call, type Conditions, run, type Written } from './client.ts'
import type { Reasoned, Referenced } from './keyed-writes.ts'

type ParamsArg<E extends Endpoint> = keyof Params<E> extends never ? unknown : { readonly params: Params<E> }
type QueryArg<E extends Endpoint> = [QueryOf<E>] extends [never] ? unknown : { readonly query?: Query<E> }
type BodyArg<E extends Endpoint> = E['body'] extends object ? { readonly body: BodyInput<E> } : unknown
type QueryOf<E extends Endpoint> = E['query'] extends object
  ? E
  : E['additionalQuery'] extends object
    ? E
    : never
type ConditionsArg<E extends Endpoint> = E['method'] extends 'GET' ? unknown : Conditions
type ReasonArg<E extends Endpoint> = E['reasoned'] extends true ? Reasoned : unknown
type ReferenceArg<E extends Endpoint> = E['referenced'] extends true ? Referenced : unknown
type Args<E extends Endpoint> = { readonly signal?: AbortSignal } & ParamsArg<E> &
  QueryArg<E> &
  BodyArg<E> &
  ConditionsArg<E> &
  ReasonArg<E> &
  ReferenceArg<E>

type Answer<E extends Endpoint> = E['reply'] extends object
  ? Reply<E>
  : E['status'][number] extends 204
    ? void
    : Written

type Caller<E extends Endpoint> =
  Partial<Args<E>> extends Args<E>
    ? (args?: Args<E>) => Promise<Answer<E>>
    : (args: Args<E>) => Promise<Answer<E>>

/** One function per operation of the contract, by its name. */
export type Api = { readonly [Name in EndpointName]: Caller<Endpoints[Name]> }

const usual = {
  ...userEndpoints,
  ...entityEndpoints,
  ...dataTypeEndpoints,
  ...capabilityEndpoints,
  ...userAdditions,
  ...entityAdditions,
}
type Rest = Readonly<Record<Exclude<EndpointName, keyof typeof usual>, Endpoint>>

/** The first page does without their schemas: read once it stands, or with the first call. */
export const readRestOfEndpoints = async (): Promise<Rest> =>
  (await import('./rest-of-endpoints.ts')).restOfEndpoints

export const api = new Proxy({} as Api, {
  get:
    (_, name: string) =>
    async (call: Call = {}) => {
      const known: Readonly<Record<string, Endpoint>> = usual
      const endpoint = known[name] ?? ((await readRestOfEndpoints()) as typeof known)[name]
      if (!endpoint) throw new Error(`The contract has no operation ${name}.`)
      return await run(endpoint, call)
    },
})
