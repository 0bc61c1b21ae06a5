import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Refusal } from './errors/problem.ts'

/** Refuses a method of an address that answers others. */
const notAllowed = (allow: string) =>
  new Refusal('method_not_allowed', `This address answers ${allow}.`, { headers: { allow } })

/** Methods that routes are registered for; HEAD comes with GET. */
const routed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Answers OPTIONS of each path, and all other methods with 405 and the allowed ones. Returns what refuses a method without
 * routes, such as TRACE or PROPFIND, at one of the paths; undefined elsewhere.
 */
export function answerMethods(
  app: FastifyInstance,
  methodsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): (request: FastifyRequest) => Refusal | undefined {
  const allowed = [...methodsByPath].map(([url, methods]) => {
    const allow = [...methods].join(', ')
    app.options(url, (_request, reply) => preflight(reply.header('allow', allow)))
    app.route({
      method: routed.filter((method) => !methods.has(method)),
      url,
      onRequest: () => {
        throw notAllowed(allow)
      },
      handler: () => undefined,
    })
    const path = new RegExp(`^${app.prefix}${url.replaceAll(/:\w+/g, '[^/?]+')}/?(?:\\?|$)`)
    return { path, allow, isNamed: url.includes(':') }
  })
  // A path without parameters comes first, as in routing: `/users/search` is no user.
  allowed.sort((one, other) => Number(one.isNamed) - Number(other.isNamed))
  return ({ url }) => {
    const found = allowed.find(({ path }) => path.test(url))
    return found && notAllowed(found.allow)
  }
}

function preflight(reply: FastifyReply): FastifyReply {
  if (reply.hasHeader('access-control-allow-origin'))
    reply.headers({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Change-Reason, Deletion-Reference, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID',
      'access-control-max-age': '600',
    })
  return reply.code(204).header('content-length', '0').send('')
}
