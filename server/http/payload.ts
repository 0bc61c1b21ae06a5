import type { KeyObject } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Endpoint } from '#contract/index.ts'
import { anonymous } from './guard.ts'
import type { Handler, HandlerAnswer } from './handler.ts'
import { answerTag, isKnown } from './headers/etag.ts'
import type { Spending, WorkBudget } from './limits/work-budget.ts'

/** Counts the time in which the first part of a long list is made. */
export function countingLists(handle: Handler<Endpoint>, budget: WorkBudget): Handler<Endpoint> {
  return async (call) => {
    const began = performance.now()
    const answer = await handle(call)
    if ('list' in answer) budget.charge(call.caller.subject, performance.now() - began)
    return answer
  }
}

/**
 * Makes the payload of an answer within the caller's budget. It is not sent in the caller's turn: a long list or file takes
 * turns of its own, and its client may be slow.
 *
 * @param secret Key of entity tags; undefined: answers have none.
 */
export function payloads(budget: WorkBudget, secret: KeyObject | undefined) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: () => Promise<HandlerAnswer<Endpoint>>,
  ) => {
    const { caller = anonymous, bodyBytes = 0 } = request
    const spending = { subject: caller.subject, bytes: bodyBytes }
    const make = async () => payloadOf(reply, await answer(), { budget, spending, secret })
    // A file takes minutes to arrive, and its work is done in pieces; other requests do not wait for that.
    const isCounted = request.caller && !request.routeOptions.config.isUpload
    return await (isCounted ? budget.answer(spending, make) : make())
  }
}

/** Sets status and headers of an answer, and returns its payload. */
function payloadOf(
  reply: FastifyReply,
  answer: HandlerAnswer<Endpoint>,
  {
    budget,
    spending,
    secret,
  }: {
    readonly budget: WorkBudget
    readonly spending: Spending
    readonly secret: KeyObject | undefined
  },
): string | Buffer | Readable | undefined {
  reply.code(answer.status)
  if (answer.status !== 200) {
    if ('location' in answer) reply.header('location', answer.location)
    // The API document requires a `Content-Length` of `0` on every response without a body. Fastify removes it from a
    // 204, where RFC 9110 forbids it, so it is set on the raw response. Clients accept it (Chromium, curl, undici).
    reply.raw.setHeader('content-length', '0')
    return undefined
  }
  if ('list' in answer) {
    reply.header('content-type', jsonType)
    // For HEAD, Fastify would read the whole list at full speed only to discard it.
    const parts = reply.request.method === 'HEAD' ? [] : listText(answer.list, budget, spending)
    return Readable.from(parts, { objectMode: false })
  }
  if ('file' in answer) {
    const { name, type, bytes, parts } = answer.file
    reply.headers({
      'content-type': type,
      ...(bytes !== undefined && { 'content-length': bytes }),
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '-')}"`,
    })
    const sent = reply.request.method === 'HEAD' ? [] : fileParts(parts, budget, spending)
    return Readable.from(sent, { objectMode: false })
  }
  const json = 'json' in answer ? answer.json : JSON.stringify(answer.body)
  spending.bytes += json.length
  if (secret && 'etag' in answer && answer.etag !== undefined) {
    const tag = answerTag(secret, answer.etag, json)
    reply.header('etag', tag)
    if (isKnown(reply.request.headers['if-none-match'], tag)) {
      reply.code(304)
      return undefined
    }
  }
  reply.header('content-type', jsonType)
  return json
}

const jsonType = 'application/json;charset=UTF-8'

async function* fileParts(
  parts: AsyncIterable<Buffer>,
  budget: WorkBudget,
  { subject }: Spending,
): AsyncGenerator<Buffer> {
  const iterator = parts[Symbol.asyncIterator]()
  try {
    for (;;) {
      const part = await budget.makePart(subject, async () => {
        const { value, done } = await iterator.next()
        return done ? undefined : value
      })
      if (part === undefined) return
      yield part
    }
  } finally {
    await iterator.return?.()
  }
}

async function* listText(
  parts: AsyncIterable<readonly unknown[]>,
  budget: WorkBudget,
  { subject }: Spending,
): AsyncGenerator<string> {
  const iterator = parts[Symbol.asyncIterator]()
  let before = '['
  try {
    for (;;) {
      const text = await budget.makePart(subject, async () => {
        const { value: part, done } = await iterator.next()
        return done ? undefined : part.map((entry: unknown) => JSON.stringify(entry)).join()
      })
      if (text === undefined) break
      if (text === '') continue
      yield before + text
      before = ','
    }
  } finally {
    await iterator.return?.()
  }
  yield before === '[' ? '[]' : ']'
}
