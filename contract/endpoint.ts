import type * as z from 'zod'

import type { Feature } from './feature.ts'
import type { Scope } from './permissions.ts'

/**
 * One operation of the API, as data. The service's routes, the typed client, the permission checks and the
 * OpenAPI document all derive from it.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below {base_url}, with parameters in braces as in the API document. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  /** Parameters of the path that are texts, with their schemas; all others are ids, and end in `_id`. */
  readonly texts?: z.ZodObject
  /** Scopes that the caller must have, all of them; `'public'` needs no token, and an empty list any token. */
  readonly needs: readonly Scope[] | 'public'
  readonly query?: z.ZodObject
  /** Query parameters beyond the API document. A service without additions ignores them as unknown. */
  readonly additionalQuery?: z.ZodObject
  /** Schema of the request body that the service accepts. Strict: the service's reply names every unknown field. */
  readonly body?: z.ZodType
  /** A body that is a file and is read as it arrives: its media types, and how many bytes it may have. */
  readonly upload?: { readonly types: readonly string[]; readonly bytes: number }
  /** Scopes that the caller must have besides `needs` if the body has this member. */
  readonly memberNeeds?: Readonly<Record<string, readonly Scope[]>>
  /**
   * Schema of the reply that a client expects. Lenient, because another service may send more or less. Absent if the
   * body is empty.
   */
  readonly reply?: z.ZodType
  /** Media types of the file that it answers with, in place of `reply`. A client gets it as a Blob. */
  readonly file?: readonly string[]
  /** Success statuses, the usual one first. 201 and 303 carry `Location`. */
  readonly status: readonly (200 | 201 | 204 | 303)[]
  /** Feature that announces this operation, if the API document does not contain it. */
  readonly addition?: Feature
  /**
   * Supports conditional requests: a read returns an `ETag`; a write takes `If-Match` and answers 412 if it is stale.
   */
  readonly conditional?: true
  /** A PUT that also creates: with `If-None-Match: *` it does only that, else the answer is 412. */
  readonly creates?: true
  /** Changes a user's data, so it takes `Change-Reason`. */
  readonly reasoned?: true
  /** Deletes the key with which a reason would be sealed, so it takes `Deletion-Reference` instead. */
  readonly referenced?: true
  /**
   * Stores properties: returns `Property-Warnings` if one is in clear while nearly all others of its key are sensitive.
   */
  readonly warns?: true
  /** Tells whether a guessed value is right, so it is rate-limited more strictly. */
  readonly guessing?: true
  /** Expensive: a few requests of one caller run at once, a few more wait, others get 429 `too_much_work`. */
  readonly expensive?: true
  /** A POST that changes nothing, so it may be repeated. */
  readonly safe?: true
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

/** Path parameters of an endpoint, by name, as strings. */
export type Params<E extends Endpoint> = { readonly [Name in ParamNames<E['path']>]: string }

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown

/** Query parameters of an endpoint; those beyond the API document are optional. */
export type Query<E extends Endpoint> = Parsed<E['query']> & Partial<Parsed<E['additionalQuery']>>

export type Body<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined

/** Request body as a client sends it. */
export type BodyInput<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined

export type Reply<E extends Endpoint> = E['reply'] extends z.ZodType ? z.output<E['reply']> : undefined

/**
 * Reply as the service builds it: its ids are unbranded, as read from the store. Without the index signatures by which a
 * client admits further members, because no interface fits these, and rows are interfaces.
 */
export type ReplyInput<E extends Endpoint> = E['reply'] extends z.ZodType
  ? Known<z.input<E['reply']>>
  : undefined

/** A type with its named members alone; a record, which has none, stays as it is. */
type Known<Value> = Value extends readonly (infer Each)[]
  ? readonly Known<Each>[]
  : Value extends object
    ? keyof Named<Value> extends never
      ? Value
      : { [Name in keyof Named<Value>]: Known<Named<Value>[Name]> }
    : Value

type Named<Value> = { [Name in keyof Value as string extends Name ? never : Name]: Value[Name] }
