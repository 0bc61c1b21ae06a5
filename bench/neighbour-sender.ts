// Sends one request over and over, several at a time, in a thread of its own, so that what it costs the client does not
// count as time that the service takes. Ends with the number of answers by status when it is told to.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

import type { Sent } from './neighbour-requests.ts'

/** Instructions for the thread. */
export interface Sending extends Sent {
  readonly port: number
  readonly token: string | undefined
  readonly atOnce: number
  /** Whether it waits after a 429, as a well-behaved client does. */
  readonly isPatient: boolean
}

const { port, token, atOnce, isPatient, method = 'GET', path, headers, body, slow } = workerData as Sending
const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
const statuses: Record<string, number> = {}
let isOver = false

parentPort?.once('message', () => (isOver = true))
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (!isOver) {
      const status = await send()
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === '429' && isPatient) await sleep(100)
    }
  }),
)
agent.destroy()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(statuses)

/** Resolves with the status, or with the reason why there is none. */
function send(): Promise<string> {
  return new Promise((resolve) => {
    const sent = request({
      agent,
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...headers,
      },
    })
    let status: number | undefined
    sent.on('response', (response) => {
      status = response.statusCode
      response.on('close', () => resolve(String(status))).resume()
    })
    // A refusal may arrive, and the connection close, before the whole body is sent.
    sent.on('error', (error) => resolve(String(status ?? ('code' in error ? error.code : error.name))))
    if (slow && text !== undefined) void trickle(text, sent)
    else sent.end(text)
  })
}

async function trickle(body: string, to: ReturnType<typeof request>): Promise<void> {
  for (const byte of body) {
    if (to.destroyed || isOver) break
    to.write(byte)
    await sleep(50)
  }
  to.destroy()
}
