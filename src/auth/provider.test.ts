import { beforeAll, expect, test } from 'vitest'

import { parseSettings } from '../api/settings.ts'
import { Provider } from './provider.ts'

const issuer = 'https://issuer.test'
let provider: Provider
beforeAll(() => {
  provider = new Provider(
    parseSettings(
      { apiUrl: 'https://service.test/api', oidc: { authority: issuer, clientId: 'console' } },
      'http://console.test/',
    ),
    {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      authorization_response_iss_parameter_supported: true,
    },
  )
})

const answer = (query: Record<string, string>) =>
  `http://console.test/signed-in/popup?${new URLSearchParams({ code: 'x', ...query }).toString()}`

test('an address that answers no sign-in of this tab brings none of its own text onto the screen', async () => {
  const made = answer({ state: 'made up', iss: 'Call 555-0100 to unlock your account' })
  await expect(provider.popupReturned(made)).rejects.toMatchObject({ fault: 'over', said: undefined })
})

test.each([
  ['https://other.test/tenant?call=555-0100', 'https://other.test'],
  ['Call 555-0100 to unlock your account', undefined],
])('an answer from another provider is refused, and at most its address is shown: %s', async (iss, said) => {
  const { url } = await provider.popupRequest(false)
  const state = new URL(url).searchParams.get('state') ?? ''
  await expect(provider.popupReturned(answer({ state, iss }))).rejects.toMatchObject({
    fault: 'foreign',
    said,
  })
})

test.each([
  ['without its name', ''],
  ['with its name twice', `&iss=${issuer}&iss=${issuer}`],
  ['with two codes', `&iss=${issuer}&code=y`],
])('an answer %s, from a provider that announces its name, is refused', async (_, more) => {
  const { url } = await provider.popupRequest(false)
  const state = new URL(url).searchParams.get('state') ?? ''
  const returned = provider.popupReturned(`${answer({ state })}${more}`)
  await expect(returned).rejects.toMatchObject({ fault: 'foreign' })
})
