import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'

import { type Endpoint, endpoints } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const id = '0199e3a0-5b6c-7d10-8a42-1f0c9d3b7e01'
const own: Readonly<Record<string, string>> = { entity_type: 'car', key: 'plate' }
const addressOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name] ?? id)

const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Methods that Node reads and no address answers, and one that Node does not read. */
const unknown = ['TRACE', 'PROPFIND', 'QUERY', 'LOCK', 'BREW']

describe.each(['all', 'none'] as const)('with additions: %s', (offering) => {
  const additions = offering === 'all'
  const service = testService({ additions: offering })
  let port = 0
  beforeAll(async () => {
    port = (await service.listen()).port
  })

  /** Sends a request without a body, with a method that `fetch` may refuse. */
  const send = (method: string, path: string) =>
    new Promise<{ status: number; allow: string | undefined }>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      socket.on('error', reject)
      socket.on('close', () => {
        const allow = /^allow: (.*)$/im.exec(answer)?.[1]
        resolve({ status: Number(answer.slice(9, 12)), allow: allow?.trim() })
      })
      socket.write(`${method} /api${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    })

  const all: Endpoint[] = Object.values(endpoints)
  const offered = all.filter(({ addition, path }) => additions || (!addition && path !== '/capabilities'))
  const paths = [
    ...new Set(offered.map(({ path }) => path)),
    ...(additions ? ['/events/stream', '/openapi.json', '/docs', '/docs/reference.js'] : []),
  ]
  const answered = (path: string) => {
    const methods = offered.filter((each) => each.path === path).map(({ method }) => method as string)
    return methods.length > 0 ? methods : ['GET']
  }

  test.each([...paths, '/user/{user_id}'])(
    '%s tells its methods, and refuses all others with them',
    async (path) => {
      const own = answered(path.replace(/^\/user\//, '/users/'))
      const address = addressOf(path)
      const { status, allow = '' } = await send('OPTIONS', address)
      expect([
        status,
        allow
          .split(', ')
          .filter((method) => known.includes(method))
          .toSorted(),
      ]).toEqual([204, own.toSorted()])
      const others = known.filter((method) => !own.includes(method))
      for (const method of [...others, ...unknown.slice(0, -1)])
        expect([method, await send(method, address)]).toEqual([method, { status: 405, allow }])
      expect((await send('BREW', address)).status).toBe(405)
    },
  )

  test('an address that is not there stays unknown', async () => {
    expect((await send('PROPFIND', '/nothing')).status).toBe(404)
  })
})
