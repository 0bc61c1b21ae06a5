import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts'
import { expect, test } from 'vitest'

import { explainFaults } from './provider.ts'
import { SignInError } from './sign-in-error.ts'

const faultOf = async (cause: Error) => {
  const error: unknown = await explainFaults(() => Promise.reject(cause)).catch((thrown: unknown) => thrown)
  if (!(error instanceof SignInError)) throw new Error('It was not explained.')
  return [error.fault, error.said]
}
const answer = (error: string, error_description?: string) =>
  new ErrorResponse({ error, ...(error_description !== undefined && { error_description }) })

test.each<[string, Error, string, string | undefined]>([
  ['a refusal', answer('access_denied', 'Not you'), 'denied', 'Not you'],
  ['a scope that is not known', answer('invalid_scope', 'No roles here'), 'scope', 'No roles here'],
  ['a client that is not known', answer('unauthorized_client'), 'refused', 'unauthorized_client'],
  ['a word of its own', answer('x'.repeat(400)), 'refused', 'x'.repeat(300)],
  ['a code that was used', answer('invalid_grant'), 'over', 'invalid_grant'],
  ['a failure of the provider', answer('server_error'), 'away', 'server_error'],
  ['a lost state', new Error('No matching state found in storage'), 'over', undefined],
  ['no network', new TypeError('Failed to fetch'), 'away', undefined],
  ['a time-out', new ErrorTimeout('Network timed out'), 'away', undefined],
  ['a failing server', new Error('Bad Gateway (502)'), 'away', undefined],
  ['a page of HTML', new Error('Invalid response Content-Type: text/html, from URL: x'), 'away', undefined],
  ['another issuer', new SignInError('foreign', { said: 'https://x.test' }), 'foreign', 'https://x.test'],
  ['anything else', new Error('nonce in id_token does not match'), 'unknown', undefined],
])('says why a sign-in came to nothing: %s', async (_what, cause, fault, said) => {
  expect(await faultOf(cause)).toEqual([fault, said])
})

test('a request that the content policy forbids is reported with the address', async () => {
  const violation = Object.assign(new Event('securitypolicyviolation'), {
    effectiveDirective: 'connect-src',
    blockedURI: 'https://tokens.test/token',
  })
  const failing = async () => {
    setTimeout(() => document.dispatchEvent(violation))
    throw new TypeError('Failed to fetch')
  }
  await expect(explainFaults(failing)).rejects.toMatchObject({ fault: 'policy', said: 'https://tokens.test' })
})
