import type { FastifyRequest } from 'fastify'

import type { Endpoint } from '#contract/index.ts'
import { type Caller, requireScopes } from './auth/caller.ts'
import { Refusal } from './errors/problem.ts'
import { bodyBytes, type RateLimits } from './limits/rate-limits.ts'

export type Authenticate = (authorization: readonly string[]) => Caller | Promise<Caller>

export interface GuardOptions {
  readonly authenticate: Authenticate
  readonly limits: RateLimits
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Caller, set before the body is read, on routes that need a token. */
    caller?: Caller
    /**
     * Whether the answer may show or reveal sensitive values. Set with the caller, or later once that becomes clear.
     */
    opensValues?: boolean
  }
  interface FastifyContextConfig {
    /** Whether the route checks a token itself, and counts requests by it. */
    needsToken?: boolean
    /** Scopes that the caller must have if the body has this member. */
    memberNeeds?: Endpoint['memberNeeds']
    /** Whether the body is a file, which is read as it arrives. */
    isUpload?: boolean
  }
}

export const anonymous: Caller = { subject: '', scopes: new Set(), expires: 0 }

export const guardConfig = ({ needs, memberNeeds, upload }: Endpoint) => ({
  needsToken: needs !== 'public',
  isUpload: upload !== undefined,
  ...(memberNeeds && { memberNeeds }),
})

/**
 * Creates the check that runs before the body is read: a caller without the right to write cannot send a megabyte
 * first.
 */
export function guard(endpoint: Endpoint, { authenticate, limits }: GuardOptions) {
  const { needs, query, additionalQuery, guessing } = endpoint
  if (needs === 'public') return async () => {}
  const isMaskable = 'sensitive' in { ...query?.shape, ...additionalQuery?.shape }
  const opensValues = (request: FastifyRequest, { scopes }: Caller) =>
    needs.includes('sensitive:read') ||
    (isMaskable &&
      scopes.has('sensitive:read') &&
      (request.query as { sensitive?: unknown }).sensitive !== 'masked')
  return async (request: FastifyRequest) => {
    let caller: Caller
    try {
      caller = await authenticate(headerLines(request, 'authorization'))
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) await limits.refusedToken(request)
      throw error
    }
    request.opensValues = opensValues(request, caller)
    await limits.ofCaller(request, caller, { opensValues: request.opensValues, guessing })
    const bytes = bodyBytes(request)
    if (bytes > 0) await limits.work.receive(caller.subject, bytes)
    requireScopes(caller, needs)
    // Whether other answers reveal sensitive values becomes clear later.
    let counted = request.opensValues ? Promise.resolve() : undefined
    const countSensitive = async () => {
      request.opensValues = true
      await (counted ??= limits.sensitive(request))
    }
    request.caller = { ...caller, countSensitive }
  }
}

/**
 * Returns all values of a header: `headers` keeps the first or joins them, and which one counts must not be left to
 * chance.
 */
export function headerLines({ raw: { rawHeaders } }: FastifyRequest, name: string): string[] {
  const found: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) found.push(rawHeaders[at + 1] ?? '')
  return found
}
