import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

import { Precedence } from './precedence.ts'

/** Sends a request to a server that notes it; returns its answer, which is still to be sent. */
async function sendRequest(precedence: Precedence): Promise<ServerResponse> {
  const server = createServer((_, response) => {
    precedence.note(response)
    server.emit('noted', response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  get({ port, host: '127.0.0.1', agent: false }, (answer) => answer.resume()).on('error', () => {})
  const [response] = (await once(server, 'noted')) as [ServerResponse]
  return response
}

test('work waits until the requests that have begun are answered', async () => {
  const precedence = new Precedence({ longestMs: 60_000, answeredMs: 60_000 })
  const response = await sendRequest(precedence)
  const other = await sendRequest(precedence)
  let isOver = false
  const way = precedence.giveWay().then(() => (isOver = true))
  response.end()
  await once(response, 'close')
  await setImmediate()
  expect(isOver).toBe(false)
  other.end()
  await way
})

test('work goes on beside a request that is not answered', async () => {
  const precedence = new Precedence({ longestMs: 1, answeredMs: 60_000 })
  await sendRequest(precedence)
  await precedence.giveWay()
})

test('work does not wait for a request that takes long, such as a stream', async () => {
  const precedence = new Precedence({ longestMs: 2 ** 31 - 1, answeredMs: 0 })
  await sendRequest(precedence)
  await precedence.giveWay()
})
