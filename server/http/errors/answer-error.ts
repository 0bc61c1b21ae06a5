import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import { maxBodyBytes, formatCount } from '#contract/index.ts'
import { badRequest, headerTable } from './bare-problems.ts'
import { asRefusal, missingKeyCode, problemBody, Refusal } from './problem.ts'

/**
 * Answers any thrown error. If it is a refusal or maps to one, that is the answer. Any other error is a bug, which is
 * logged and answered with a fixed sentence.
 */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger | undefined,
): FastifyReply {
  const known = asRefusal(error) ?? frameworkRefusal(error)
  const entry = { request: request.id, ...traceOf(request), route: routeOf(request) }
  if (error instanceof Error && 'code' in error && error.code === missingKeyCode)
    log?.error(entry, error.message)
  const bug = known ? known.cause : error
  if (known?.logged !== undefined) log?.warn(entry, known.logged)
  if (bug !== undefined) log?.error({ ...entry, stack: stackWithoutMessage(bug) })
  const refusal =
    known ?? new Refusal('internal', 'Something went wrong on our side. Quote the request id to report it.')
  return reply
    .code(refusal.status)
    .headers({ ...headerTable, ...refusal.headers, 'content-type': 'application/json;charset=UTF-8' })
    .serializer(String)
    .send(problemBody(refusal, request.id))
}

export const routeOf = (request: FastifyRequest) =>
  `${request.method} ${request.routeOptions?.url ?? 'unknown'}`

/** Returns the trace that the request belongs to according to the caller (W3C Trace Context), for correlating logs. */
export function traceOf({ headers: { traceparent } }: FastifyRequest): { readonly trace?: string } {
  const trace = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(String(traceparent))?.[1]
  return trace === undefined || /^0+$/.test(trace) ? {} : { trace }
}

export const unknownAddress = new Refusal('unknown_address', 'There is nothing at this address.')

/** Returns a refusal by Fastify in this API's own words: Fastify's messages may quote the request. */
function frameworkRefusal(error: unknown): Refusal | undefined {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  if (statusCode === 413)
    return new Refusal('body_too_large', `The body is larger than ${formatCount(maxBodyBytes)} bytes.`)
  if (statusCode === 415)
    return new Refusal('unsupported_media_type', 'Send the body as Content-Type: application/json.')
  if (code === 'FST_ERR_ROUTE_MISSING_HANDLER' || statusCode === 404) return unknownAddress
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? badRequest : undefined
}

/** Returns the stack frames without the message: a driver's message may hold a value. */
function stackWithoutMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  return [`${error.name}${code}`, ...(frames ?? [])].join('\n')
}
