import { afterAll, beforeAll, expect, test } from 'vitest'

import { type ServiceProcess, type ServiceProcesses, serviceProcesses } from '../testing/process.ts'
import { scriptClientId, scriptClientSecret } from './accounts.ts'

/**
 * Node option that makes every `fetch` of the process fail, even one to itself, as if the process were too busy to
 * answer in time.
 */
const unreachable = `--import=data:text/javascript,${encodeURIComponent('globalThis.fetch = async () => { throw new TypeError("fetch failed") }')}`

let processes: ServiceProcesses
let service: ServiceProcess
beforeAll(async () => {
  processes = await serviceProcesses({ settings: { OIDC_ISSUER: '', NODE_OPTIONS: unreachable } })
  service = await processes.start()
})
afterAll(() => processes.close())

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`

async function token(role: 'admin' | 'support'): Promise<string> {
  const response = await fetch(at('/oidc/token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: scriptClientId(role),
      client_secret: scriptClientSecret,
    }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

const ask = async (bearer: string) =>
  (await fetch(at('/api/users'), { headers: { authorization: `Bearer ${bearer}` } })).status

test('the service knows the keys of its own sign-in without asking for them, and never calls it dead', async () => {
  for (const role of ['admin', 'support'] as const) expect(await ask(await token(role))).toBe(200)
  expect(service.output()).not.toContain('issuer of tokens')
})

test('a token of another key, or altered, is refused at once', async () => {
  const [header = '', payload = '', signature = ''] = (await token('support')).split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const kid = { ...(JSON.parse(Buffer.from(header, 'base64url').toString()) as object), kid: 'another' }
  for (const forged of [
    [header, encode({ ...claims, role: 'admin' }), signature],
    [encode(kid), payload, signature],
    [encode({ alg: 'none', typ: 'at+jwt' }), payload, ''],
  ])
    expect(await ask(forged.join('.'))).toBe(401)
})
