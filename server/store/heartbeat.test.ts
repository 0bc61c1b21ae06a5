import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, vi } from 'vitest'

import { Heartbeat } from './heartbeat.ts'

it('sends no more heartbeats to a server that hangs, however many callers ask', async () => {
  let accepted = 0
  let beats = 0
  // Accepts connections and never answers, like a machine that hangs.
  const still = createServer((socket) => {
    accepted++
    socket.on('error', () => {})
    socket.once('data', (first) => (beats += Number(first.includes('heartbeat'))))
  })
  await once(still.listen(0, '127.0.0.1'), 'listening')
  const { port } = still.address() as AddressInfo
  const heartbeat = new Heartbeat({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres` })
  try {
    // By its second question, the heartbeat knows of the standstill.
    await vi.waitFor(() => expect(beats).toBe(2), { timeout: 30_000 })
    const refusals = Array.from({ length: 20 }, async () => {
      const socket = heartbeat.socket()
      const failed = once(socket, 'error')
      socket.connect(port, '127.0.0.1', () => socket.write('a request'))
      return ((await failed) as [NodeJS.ErrnoException])[0].code
    })
    expect(new Set(await Promise.all(refusals))).toEqual(new Set(['EHOSTDOWN']))
    // The sockets would have sent their requests before this question, so they would have been counted by now.
    await vi.waitFor(() => expect(beats).toBe(3), { timeout: 30_000 })
    expect(accepted).toBeLessThan(6)
  } finally {
    heartbeat.stop()
    still.close()
  }
})

it('gives an answer a whole second, counted in ticks from the question', async () => {
  const still = createServer((socket) => socket.on('error', () => {}))
  await once(still.listen(0, '127.0.0.1'), 'listening')
  const { port } = still.address() as AddressInfo
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const heartbeat = new Heartbeat({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres` })
  try {
    const socket = heartbeat.socket()
    const failed = once(socket, 'error')
    vi.advanceTimersByTime(500 + 900)
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(100)
    expect(((await failed) as [NodeJS.ErrnoException])[0].code).toBe('ETIMEDOUT')
  } finally {
    vi.useRealTimers()
    heartbeat.stop()
    still.close()
  }
})
