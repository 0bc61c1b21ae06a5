import type {
  Body,
  Endpoint,
  EndpointName,
  Endpoints,
  Params,
  PropertyWarning,
  Query,
  ReplyInput,
} from '#contract/index.ts'
import type { Transaction } from '../store/sql.ts'
import type { Caller } from './auth/caller.ts'
import type { ChangeReason } from './headers/change-reason.ts'
import type { Upload } from './upload.ts'

/** Validated input of a handler, free of transport types. */
export interface Call<E extends Endpoint> {
  /** Ids from the path, spelled as the store spells them. */
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  /** File that the request streams. */
  readonly upload: E['upload'] extends object ? Upload : undefined
  readonly caller: Caller
  /** Reason of a change to a user's data. */
  readonly reason: ChangeReason
  /** Reference of a user's deletion. */
  readonly reference: string | undefined
  /** {base_url} without a trailing slash, for the `Location` header. */
  readonly baseUrl: string
  /**
   * Runs the single transaction of a write, including all reads that its decision depends on. Each statement sees
   * everything committed before it (READ COMMITTED); any thrown error rolls back. A write that answers without a body
   * is not executed again if it is repeated with the same `Idempotency-Key`: its first answer is returned.
   */
  readonly write: (work: (transaction: Transaction) => Promise<HandlerAnswer<E>>) => Promise<HandlerAnswer<E>>
  /**
   * Throws a 412 if `If-Match` does not match the given tag of the current state (`undefined` if the resource does not
   * exist). Must be called under the row's lock. Returns whether the request named that state: `*` is any.
   */
  readonly requireUnchanged: (etag: () => string | undefined) => boolean
  /** Adds a warning to the answer; dropped if the write is refused. */
  readonly warn: (warning: PropertyWarning) => void
}

/**
 * Answer of a handler. `json` is a body that the database already serialized. `list` is an array too long to hold in
 * memory: it is produced in batches, each after the client has taken the previous one. `file` takes the place of a body.
 */
export type HandlerAnswer<E extends Endpoint> =
  | { readonly status: 200; readonly body: ReplyInput<E> }
  | {
      readonly status: 200
      readonly body: ReplyInput<E>
      /** Tag of the state that the body represents. */
      readonly etag: string
    }
  /** `json` is a Buffer if it is a `fixedDocument`, which many answers send. */
  | { readonly status: 200; readonly json: string | Buffer; readonly etag?: string }
  | { readonly status: 200; readonly file: FileAnswer }
  | { readonly status: 200; readonly list: AsyncIterable<ListPart<ReplyInput<E>>> }
  | { readonly status: 201 | 303; readonly location: string }
  | { readonly status: 204 }

/** A file that is too large to hold in memory: each part is made after the client has taken the previous one. */
export interface FileAnswer {
  /** Name for the client. All but ASCII letters, digits, `.`, `_` and `-` is replaced. */
  readonly name: string
  /** One of the media types of the endpoint. */
  readonly type: string
  /** Undefined if nobody knows before all parts are made. */
  readonly bytes?: number
  readonly parts: AsyncIterable<Buffer>
}

type ListPart<Reply> = Reply extends readonly unknown[] ? Reply : never

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<HandlerAnswer<E>> | HandlerAnswer<E>

export type Handlers<Name extends EndpointName> = { readonly [Each in Name]: Handler<Endpoints[Each]> }
