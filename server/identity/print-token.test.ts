import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { roles } from '#contract/index.ts'
import { clientId, RunningSignIn } from '../testing/sign-in.ts'
import { scriptClientId, scriptClientSecret } from './accounts.ts'

let running: RunningSignIn

/** Bytes of the answer without end that were taken. */
let taken = 0
function* blanks() {
  for (; ; taken += 65_536) yield Buffer.alloc(65_536, ' ')
}

beforeEach(async () => {
  running = await RunningSignIn.start()
})
afterEach(async () => {
  await running.stop()
  if (running.failures.length > 0) throw new AggregateError(running.failures)
})

describe('scripts', () => {
  const script = (fields: Record<string, string>) =>
    running.post('/token', { grant_type: 'client_credentials', client_secret: scriptClientSecret, ...fields })

  it.each(roles)('get a token in the role %s', async (role) => {
    const { body } = await script({ client_id: scriptClientId(role) })
    const { payload } = await running.verify(body.access_token)
    expect(payload).toMatchObject({ sub: scriptClientId(role), role })
  })

  it('need the secret, which the console has not', async () => {
    const wrong = await script({ client_id: scriptClientId('admin'), client_secret: 'guess' })
    expect(wrong.body.error).toBe('invalid_client')
    const asConsole = await running.post('/token', { grant_type: 'client_credentials', client_id: clientId })
    expect(asConsole.status).toBe(400)
    expect(asConsole.body.access_token).toBeUndefined()
  })
})

describe('npm run token', () => {
  async function run(args: string[], environment: Record<string, string> = {}) {
    const file = path.join(import.meta.dirname, 'print-token.ts')
    const { PORT: _port, HOST: _host, OIDC_ISSUER: _issuer, ...inherited } = process.env
    const env = { ...inherited, PORT: new URL(running.origin).port, ...environment }
    return promisify(execFile)(process.execPath, [file, ...args], { env }).then(
      (output) => ({ code: 0, ...output }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
  }

  it('prints the token and nothing else', async () => {
    const { stdout, stderr } = await run(['--', '--role', 'integrator'])
    expect((await running.verify(stdout.trim())).payload['role']).toBe('integrator')
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(stderr).toBe('')
    const byIssuer = await run(['--role=admin'], { PORT: '1', OIDC_ISSUER: `${running.issuer}/` })
    expect(decodeJwt(byIssuer.stdout.trim())['role']).toBe('admin')
  })

  it.each([
    ['an unknown role', ['--role', 'boss'], {}, 'support | steward | integrator | admin'],
    ['no role', [], {}, 'Name a role'],
    ['a sign-in that does not run', ['--role', 'admin'], { PORT: '1' }, 'npm start'],
    ['an unknown option', ['--rolle', 'admin'], {}, '--role'],
  ])('says what to do about %s', async (_what, args, environment, advice) => {
    const { code, stdout, stderr } = await run(args, environment)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(advice)
    expect(stderr).not.toMatch(/\n {4}at /)
  })

  it('says what to do about a sign-in that gives no token to scripts', async () => {
    const other = createServer(({ url }, response) => {
      const isDiscovery = url === '/.well-known/openid-configuration'
      response.end(JSON.stringify(isDiscovery ? { token_endpoint: `${issuer()}/token` } : { error: 'no' }))
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const issuer = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    try {
      const { code, stdout, stderr } = await run(['--role', 'admin'], { OIDC_ISSUER: issuer() })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('Have your identity provider issue a token')
    } finally {
      other.close()
    }
  })

  it.each<[string, (response: ServerResponse) => unknown]>([
    [
      'answers without end',
      (response) =>
        Readable.from(blanks())
          .pipe(response)
          .on('error', () => {}),
    ],
    [
      'leads elsewhere',
      (response) =>
        response.writeHead(302, { location: `${running.issuer}/.well-known/openid-configuration` }).end(),
    ],
    ['answers with a page', (response) => response.end('<!doctype html>')],
  ])('tells no sign-in from one that %s', async (_what, answer) => {
    const other = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const issuer = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const { code, stdout, stderr } = await run(['--role', 'admin'], { OIDC_ISSUER: issuer })
    other.closeAllConnections()
    other.close()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`What answers at ${issuer} is not the sign-in of Data Store.\n`)
    // Sockets on both sides hold some of it.
    expect(taken).toBeLessThan(16_000_000)
  })

  it('explains itself', async () => {
    expect((await run(['--help'])).stdout).toContain('--role')
  })
})
