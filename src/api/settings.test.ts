import { expect, test } from 'vitest'

import { parseSettings, SettingsError } from './settings.ts'

const oidc = { authority: 'oidc', clientId: 'console' }

test('addresses are relative to where the console is served', () => {
  const { apiUrl, oidc: provider, consoleUrl } = parseSettings({ apiUrl: 'api', oidc }, 'https://a.test/sub/')
  expect([apiUrl, provider.authority, consoleUrl]).toEqual([
    'https://a.test/sub/api',
    'https://a.test/sub/oidc',
    'https://a.test/sub/',
  ])
})

test('absolute addresses stay, without a trailing slash', () => {
  const settings = parseSettings({ apiUrl: 'https://api.test/v1/', oidc }, 'https://a.test/')
  expect(settings).toMatchObject({ apiUrl: 'https://api.test/v1', timeZone: 'UTC' })
})

test('all that is wrong is said at once, by its place', () => {
  const parse = () => parseSettings({ apiUrl: '', oidc: {}, timeZone: 'Mars/Crater' }, 'https://a.test/')
  expect(parse).toThrow(SettingsError)
  expect(parse).toThrow(/apiUrl: .*\noidc\.authority: .*\noidc\.clientId: .*\ntimeZone: /)
})
