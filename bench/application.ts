// What the benchmarks of the service share: the application over a store, and a token for it.
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'

import { createApp } from '#server/app.ts'
import { bearerCheck } from '#server/caller.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database.ts'
import { deriveSecrets } from '#server/secrets.ts'

const issuer = 'https://issuer.example.org'

/** Not listening yet. The token is an administrator's, for two hours. */
export async function application(database: Database, config: Config) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256' }] })
  const token = await new SignJWT({ iss: issuer, aud: 'bench', sub: 'bench', role: 'admin' })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })
    .setExpirationTime('2h')
    .sign(privateKey)
  const secrets = deriveSecrets(config.keys[0])
  const app = await createApp({
    database,
    authenticate: bearerCheck({ issuer, audience: 'bench', roleClaim: 'role' }, keys),
    secrets,
    inviteUrl: config.inviteUrl,
  })
  return { app, token, secrets }
}
