import type * as z from 'zod'

import type { Feature } from './feature.ts'
import type { Scope } from './permissions.ts'

/**
 * One operation of the API, as data. The service's routes, the typed client, the permission checks and the
 * OpenAPI document all derive from it.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below {base_url}; parameters in braces, as the API document writes them. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  /** Scopes that the caller must all have; `'public'` needs no token. */
  readonly needs: readonly Scope[] | 'public'
  readonly query?: z.ZodObject
  /** Parameters beyond the document: unknown, and so ignored, where the service offers no additions. */
  readonly additionalQuery?: z.ZodObject
  /** Request body that the service accepts. Strict: the reply names every unknown field. */
  readonly body?: z.ZodType
  /** Reply that a client expects. Lenient, since another service may send more or less. Absent: the body is empty. */
  readonly reply?: z.ZodType
  /** Success statuses, the usual one first. 201 and 303 carry `Location`. */
  readonly status: readonly (200 | 201 | 204 | 303)[]
  /** The whole operation is beyond the document, announced as this. */
  readonly addition?: Feature
  /** A read answers `ETag`; a write takes `If-Match`, and answers 412 to one that is stale. */
  readonly conditional?: true
  /** A change of a user's data: it takes `Change-Reason`. */
  readonly reasoned?: true
  /** Leaves nothing behind that a reason could be sealed with: it takes `Deletion-Reference` in its place. */
  readonly referenced?: true
  /** Stores properties: answers `Property-Warnings` where one of them is in clear and others of its key are not. */
  readonly warns?: true
  /** Tells whether a guess is right: asked for seldom. */
  readonly guessing?: true
  /** Reads much: of one caller only a little is done at once, and more is refused with 429 `too_much_work`. */
  readonly expensive?: true
  /** A POST that changes nothing: it may be repeated. */
  readonly safe?: true
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

/** Path parameters of an endpoint, by name, as strings. */
export type Params<E extends Endpoint> = { readonly [Name in ParamNames<E['path']>]: string }

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown

/** `unknown`: there are no parameters. */
export type Query<E extends Endpoint> = Parsed<E['query']> & Partial<Parsed<E['additionalQuery']>>

export type Body<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined

/** Request body as a client sends it. */
export type BodyInput<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined

export type Reply<E extends Endpoint> = E['reply'] extends z.ZodType ? z.output<E['reply']> : undefined

/** Reply as the service builds it: ids are unbranded, as they come from the store. */
export type ReplyInput<E extends Endpoint> = E['reply'] extends z.ZodType ? z.input<E['reply']> : undefined
