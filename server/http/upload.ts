import type { IncomingMessage } from 'node:http'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

import { type Endpoint, formatCount } from '#contract/index.ts'
import { refusalOfEncoding } from './body-kind.ts'
import { Refusal } from './errors/problem.ts'

export const uploadLimits = {
  /** Longest time for which nothing more of a file arrives. */
  silenceMs: 15_000,
  /** Slowest that a file may arrive on the whole, beyond one silence. */
  bytesPerSecond: 16 * 1024,
  totalMs: 30 * 60_000,
  /** Time for which the rest of a file is still read and thrown away once it is refused, so that the answer arrives. */
  lingerMs: 5000,
}

/** Bytes of a file after which other requests have their turn. */
const pieceBytes = 16 * 1024

/** A file that a request streams. */
export interface Upload {
  /** Media type, without parameters. */
  readonly type: string
  /** Pieces as they arrive. Throws the refusal of a file that is too large, too slow or broken off. */
  readonly pieces: AsyncIterable<Buffer>
}

const received = new WeakSet<IncomingMessage>()

/** Whether a request's body is a file being received, whose time is limited here. */
export const isUpload = (request: IncomingMessage) => received.has(request)

/** Registers a route whose requests arrive with an unread body, whatever its type is. */
export function routeUpload(app: FastifyInstance, route: RouteOptions): void {
  void app.register((uploads, _options, done) => {
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser('*', (_request, _payload, pass) => pass(null, undefined))
    // Fastify refuses what is no media type before the types of files can be named.
    uploads.addHook('onRequest', async ({ raw: { headers } }) => {
      if (!/^\s*[^\s/;]+\/[^\s/;]+/.test(headers['content-type'] ?? '')) delete headers['content-type']
    })
    uploads.route(route)
    done()
  })
}

/**
 * Begins to receive the file of a request whose caller may send it. Throws the refusal if its headers say already that
 * it is not acceptable.
 */
export function receiveUpload(
  { raw, headers }: FastifyRequest,
  { types, bytes }: NonNullable<Endpoint['upload']>,
): Upload {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!types.includes(type))
    throw new Refusal('unsupported_media_type', `Send the file as Content-Type: ${types.join(', ')}.`)
  const refusal = refusalOfEncoding(headers)
  if (refusal) throw refusal
  if (Number(headers['content-length'] ?? 0) > bytes) throw tooLarge(bytes)
  received.add(raw)
  return { type, pieces: piecesOf(raw, bytes) }
}

async function* piecesOf(raw: IncomingMessage, mostBytes: number): AsyncGenerator<Buffer, void> {
  const { silenceMs, bytesPerSecond, totalMs } = uploadLimits
  const endsAtMs = performance.now() + totalMs
  let bytes = 0
  let waitedMs = 0
  try {
    for (;;) {
      const piece = raw.read() as Buffer | null
      if (piece) {
        bytes += piece.length
        if (bytes > mostBytes) throw tooLarge(mostBytes)
        for (let at = 0; at < piece.length; at += pieceBytes) {
          yield piece.subarray(at, at + pieceBytes)
          await yieldToOthers()
        }
        continue
      }
      if (raw.readableEnded) return
      if (raw.destroyed) throw brokenOff()
      const begunMs = performance.now()
      const patienceMs = silenceMs + (bytes / bytesPerSecond) * 1000 - waitedMs
      const isThere = await readable(raw, Math.min(silenceMs, patienceMs, endsAtMs - begunMs))
      if (!isThere) throw tooSlow()
      waitedMs += performance.now() - begunMs
    }
  } finally {
    if (!raw.readableEnded) throwAway(raw)
  }
}

/** Waits until there is something to read, or the end; returns false if that takes too long. */
function readable(raw: IncomingMessage, withinMs: number): Promise<boolean> {
  const events = ['readable', 'end', 'close', 'error'] as const
  return new Promise((resolve) => {
    const settle = (isThere: boolean) => {
      clearTimeout(timer)
      for (const event of events) raw.off(event, heard)
      resolve(isThere)
    }
    const heard = () => settle(true)
    const timer = setTimeout(() => settle(false), Math.max(0, withinMs))
    for (const event of events) raw.on(event, heard)
  })
}

/** Reads the rest without keeping it, and gives the connection up if that takes long. */
function throwAway(raw: IncomingMessage): void {
  received.delete(raw)
  raw.on('error', () => {})
  raw.on('readable', () => {
    while (raw.read() !== null);
  })
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, uploadLimits.lingerMs)
  timer.unref()
}

const tooLarge = (bytes: number) =>
  new Refusal(
    'body_too_large',
    `The file is larger than ${formatCount(bytes)} bytes. Nothing of it is kept; send it in parts.`,
  )

const tooSlow = () =>
  new Refusal('request_timeout', 'The file arrives too slowly. Nothing of it is kept; send it again.')

const brokenOff = () =>
  new Refusal('request_timeout', 'The file was broken off. Nothing of it is kept; send it again.')
