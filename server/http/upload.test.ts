import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'

import { asRefusal } from './errors/problem.ts'
import { receiveUpload } from './upload.ts'

test('a file that does not say its size is refused at the first byte too many', async () => {
  const most = 100_000
  let received = 0
  const refused = Promise.withResolvers<unknown>()
  const receive = async (raw: IncomingMessage) => {
    try {
      const asked = { raw, headers: raw.headers } as FastifyRequest
      const { pieces } = receiveUpload(asked, { types: ['text/csv'], bytes: most })
      for await (const piece of pieces) received += piece.length
      refused.resolve(undefined)
    } catch (error) {
      refused.resolve(error)
    }
  }
  const server = createServer((raw, response) => void receive(raw).then(() => response.end())).listen(0)
  await once(server, 'listening')
  const send = async (bytes: number) => {
    received = 0
    const { port } = server.address() as AddressInfo
    const sending = request({ port, method: 'POST', headers: { 'content-type': 'text/csv' } })
    for (let left = bytes; left > 0; left -= 10_000) sending.write('x'.repeat(Math.min(left, 10_000)))
    const answered = once(sending, 'response')
    sending.end()
    await answered
  }
  try {
    await send(most + 1)
    expect(asRefusal(await refused.promise)).toMatchObject({ status: 413, code: 'body_too_large' })
    expect(received).toBeLessThanOrEqual(most)
    await send(most)
    expect(received).toBe(most)
  } finally {
    server.close()
  }
})
