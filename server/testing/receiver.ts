import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface Received {
  /** Id of the event. */
  readonly id: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Behaviour of a receiver: a status, no response, or a connection closed without one. */
export type ReceiverAnswer =
  | number
  | { status: number; headers: Record<string, string>; body?: string | Uint8Array }
  | 'silence'
  | 'drop'

export interface TestReceiver {
  readonly url: string
  readonly received: Received[]
  /** Chooses the response to further requests. */
  answer: (request: Received) => ReceiverAnswer | Promise<ReceiverAnswer>
  close(): Promise<void>
}

/** Starts a server on this machine that receives webhooks and records them. */
export async function startReceiver(answer: TestReceiver['answer'] = () => 200): Promise<TestReceiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    const respond = async () => {
      const { headers, url: path = '' } = request
      const id = String(headers['webhook-id'])
      const got = { id, path, headers, text: Buffer.concat(chunks).toString(), at: Date.now() }
      received.push(got)
      const what = await receiver.answer(got)
      if (what === 'silence') return
      if (what === 'drop') request.socket.destroy()
      else if (typeof what === 'number') response.writeHead(what).end()
      else response.writeHead(what.status, what.headers).end(what.body)
    }
    request.on('end', () => void respond())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
