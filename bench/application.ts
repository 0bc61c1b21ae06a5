// Shared by the service benchmarks.
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'

import { createApi } from '#server/api/api.ts'
import type { Config } from '#server/config.ts'
import { createApp } from '#server/http/app.ts'
import { bearerCheck } from '#server/http/auth/caller.ts'
import type { Database } from '#server/sealing/database.ts'

const issuer = 'https://issuer.example.org'

/** Creates the application without listening on a port, and an administrator token that is valid for two hours. */
export async function application(database: Database, config: Config) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256' }] })
  const token = await new SignJWT({ iss: issuer, aud: 'bench', sub: 'bench', role: 'admin' })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })
    .setExpirationTime('2h')
    .sign(privateKey)
  const { secrets } = database.keys
  const authenticate = bearerCheck(
    { issuer, audience: 'bench', roleClaim: 'role', tokenLifetimeHours: 24, clockToleranceS: 60 },
    { find: keys, reading: 0 },
  )
  const app = await createApp({
    api: createApi({ database, inviteUrl: config.inviteUrl, allowLoopback: config.allowLoopback }),
    authenticate,
  })
  /**
   * Sends a request in process, without a socket. Returns the parsed body, or the `Location` if the response has no
   * body. Throws if the status is 400 or higher.
   */
  const request = async <Reply>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Reply> => {
    const { statusCode, payload, headers } = await app.inject({
      method,
      url: `/api${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    if (statusCode >= 400) throw new Error(`${method} ${path.split('?')[0]} answered ${statusCode}`)
    return (payload === '' ? { location: headers.location } : JSON.parse(payload)) as Reply
  }
  return { app, token, secrets, authenticate, request }
}

export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
}
