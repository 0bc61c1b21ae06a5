import * as z from 'zod'

import { type Endpoint, type EndpointName, endpoints, problem } from '#contract/index.ts'

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

const plain = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any' }) as ReplySchema

/**
 * The contract's operations as plain data. The build puts the values in the place of this module (vite.config.ts), so
 * that the first page needs neither the schema library nor the schemas of what it does not write: 25 kB (gzip).
 */
export const operations = Object.fromEntries(
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
) as Record<EndpointName, Operation>

export const problemReply = plain(problem)
