import * as z from 'zod'

import type { Endpoint } from '#contract/index.ts'

import type { ReplySchema } from './read.ts'

/** What the transport needs to know of an operation. */
export interface Operation {
  readonly method: Endpoint['method']
  readonly path: string
  readonly isPublic: boolean
  /** Changes nothing, so it may be repeated. */
  readonly isRead: boolean
  /** The answer tells where the written thing is. */
  readonly locates: boolean
  readonly reply?: ReplySchema
}

export const plain = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any' }) as ReplySchema

/** Operations of the contract as plain data, by their names. */
export function operationsOf<Name extends string>(
  endpoints: Readonly<Record<Name, Endpoint>>,
): Record<Name, Operation> {
  return Object.fromEntries(
    Object.entries<Endpoint>(endpoints).map(([name, { method, path, needs, status, reply, safe }]) => [
      name,
      {
        method,
        path,
        isPublic: needs === 'public',
        isRead: method === 'GET' || safe === true,
        locates: status.some((code) => code === 201 || code === 303),
        ...(reply && { reply: plain(reply) }),
      } satisfies Operation,
    ]),
  ) as Record<Name, Operation>
}
