// Sends the requests that `requests.ts` generates, and checks each answer against the API description.
import { Agent, request as send } from 'node:http'
import fc from 'fast-check'

import type { Role } from '#contract/index.ts'
import { seededRandom } from '../demo/random.ts'
import { type CheckedAnswer, checks } from './checks.ts'
import type { Description, Operation } from './description.ts'
import { KnownIds, type Pick } from './known-ids.ts'
import { type Plan, plansOf } from './requests.ts'
import { Values } from './values.ts'

/** A fault in answers, with the first request that showed it. */
interface Fault {
  readonly what: string
  readonly request: string
  count: number
}

interface Tokens {
  token(role: Role): Promise<string>
  sign(claims: Record<string, unknown>): Promise<string>
}

interface Target {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/**
 * Sends `count` requests one after the other, deterministic for a seed: each works on the state that the earlier ones
 * left. Returns each fault once, and the operations that refused every request.
 */
export async function fuzz(
  tokens: Tokens,
  { port, count, seed }: { port: number; count: number; seed: number },
): Promise<{ faults: Fault[]; idle: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const random = seededRandom(seed)
  const pick: Pick = (items) => items[Math.floor(random() * items.length)]
  const { text } = await exchange({ agent, port, path: '/api/openapi.json' })
  const description = JSON.parse(text) as Description
  const check = checks(description)
  const { weighted, plans } = planRequests(description, { count, seed })
  const authorization = await credentials(tokens)
  const known = new KnownIds(Object.keys(description.paths))
  const faults = new Map<string, Fault>()
  const idle = new Set(weighted.map(({ operation }) => operation.operationId))
  try {
    for (let sent = 0; sent < count; sent++) {
      const target = pick(weighted)
      const plan = target && plans.get(target.operation)?.pop()
      if (!plan) throw new Error('There are fewer plans than requests.')
      const params = known.paramsFor(target.path, pick)
      const request = requestOf(target, plan, params, (name) => known.one(name, pick))
      const headers = { ...request.headers, ...authorization(plan.caller) }
      const answer = await exchange({ agent, port, ...request, headers })
      const isItself = plan.method === target.method && plan.oddId === undefined
      for (const fault of check(isItself ? target.operation : undefined, request.body, answer)) {
        const what = `${plan.method} ${target.path}: ${fault}`
        const same = faults.get(what) ?? {
          what,
          request: showRequest(plan.caller, request, answer),
          count: 0,
        }
        faults.set(what, { ...same, count: same.count + 1 })
      }
      if (!isItself || answer.status >= 400) continue
      idle.delete(target.operation.operationId)
      known.learn(target.path, params, answer)
    }
  } finally {
    agent.destroy()
  }
  return { faults: [...faults.values()], idle: [...idle] }
}

export const inWords = ({ what, request, count }: Fault) => `${count} × ${what}\n${request}`

/** Plans the requests of a run for each operation. */
function planRequests(description: Description, { count, seed }: { count: number; seed: number }) {
  const values = new Values(description)
  const targets = Object.entries(description.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]): Target => {
      return { path, method: method.toUpperCase(), operation }
    }),
  )
  // Creating operations run more often, so that there is something to read, change and delete.
  const isMaking = ({ operation }: Target) => operation.operationId.startsWith('create')
  const weighted = targets.flatMap((target) => (isMaking(target) ? [target, target, target] : [target]))
  const plans = new Map(
    targets.map((target) => {
      const share = (count / weighted.length) * (isMaking(target) ? 3 : 1)
      const plan = plansOf(target.method, target.operation, values)
      // Spare plans: chance gives some operations more requests than others.
      return [target.operation, fc.sample(plan, { seed, numRuns: Math.ceil(share * 1.4) + 30 })] as const
    }),
  )
  return { weighted, plans }
}

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

function requestOf(
  target: Target,
  plan: Plan,
  params: Readonly<Record<string, string>>,
  known: (name: string) => string | undefined,
): Request {
  const filled = (text: string) =>
    text.replaceAll(/\{([a-z]+_id|etag|new)\}/g, (whole, name: string) => known(name) ?? whole)
  const allFilled = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text)]))
  const address = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'unknown')
  const query = new URLSearchParams(allFilled(plan.query)).toString()
  const path = plan.oddId === undefined ? address : address.replace(/[^/]*$/, plan.oddId)
  return {
    method: plan.method,
    path: `/api${path}${query === '' ? '' : '?'}${query}`,
    headers: allFilled(plan.headers),
    body: plan.body === undefined ? undefined : filled(plan.body),
  }
}

/** Returns a request and its answer for the report, without the token. */
function showRequest(
  caller: string,
  { method, path, headers, body = '' }: Request,
  { status, text }: CheckedAnswer,
): string {
  const sent = `${path.slice(0, 300)} as ${caller} ${JSON.stringify(headers)} ${body.slice(0, 600)}`
  return `${method} ${sent} -> ${status} ${text.slice(0, 600)}`
}

async function credentials(tokens: Tokens) {
  const made: Record<string, string | string[]> = {
    garbage: 'Bearer gar.ba.ge',
    expired: `Bearer ${await tokens.sign({ role: 'admin', exp: 1 })}`,
    powerless: `Bearer ${await tokens.sign({ scope: 'openid' })}`,
  }
  for (const role of ['support', 'steward', 'integrator', 'admin'] as const)
    made[role] = `Bearer ${await tokens.token(role)}`
  made.two = [String(made.admin), String(made.admin)]
  return (caller: string) => (made[caller] === undefined ? {} : { authorization: made[caller] })
}

/** Sends one request. Of a stream, which never ends, only the head is read. */
function exchange({
  agent,
  port,
  path,
  method = 'GET',
  headers = {},
  body,
}: {
  agent: Agent
  port: number
  path: string
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | undefined
}): Promise<CheckedAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const request = send({ agent, port, path, method, headers: { ...headers, ...length } }, (response) => {
      const { statusCode: status = 0, headers } = response
      if (headers['content-type']?.startsWith('text/event-stream') === true) {
        resolve({ status, headers, text: '' })
        response.destroy()
        return
      }
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status, headers, text: Buffer.concat(chunks).toString() }))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}
