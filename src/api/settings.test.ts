import { afterEach, expect, test, vi } from 'vitest'

import { describeSettingsFault } from '../app/Notice.tsx'
import { parseSettings, readPageData, readSettings, SettingsError } from './settings.ts'

/** Returns the lines of the page that says what is wrong. */
function wordsOf(content: unknown): string | undefined {
  try {
    parseSettings(content, 'https://a.test/')
    return undefined
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.faults.map(describeSettingsFault).join('\n')
  }
}

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
  expect(settings).toMatchObject({ apiUrl: 'https://api.test/v1', timeZone: 'UTC', session: 'tab' })
})

test('all that is wrong is said at once, by its place', () => {
  const wrong = { apiUrl: '', oidc: {}, timeZone: 'Mars/Crater' }
  const inOrder = /apiUrl: .*\noidc\.authority: .*\noidc\.clientId: .*\ntimeZone: /
  expect(() => parseSettings(wrong, 'https://a.test/')).toThrow(inOrder)
  expect(wordsOf(wrong)).toMatch(inOrder)
})

test('the names that the provider has for roles of ours are one of these each', () => {
  const parse = (roleMap: unknown) =>
    parseSettings({ apiUrl: 'api', oidc: { ...oidc, roleMap } }, 'https://a.test/').oidc.roleMap
  expect([parse(undefined), parse({ 'ds-help': 'support' })]).toEqual([undefined, { 'ds-help': 'support' }])
  for (const wrong of [{}, 'admin', { boss: 'boss' }, { boss: ['admin'] }])
    expect(wordsOf({ apiUrl: 'api', oidc: { ...oidc, roleMap: wrong } })).toMatch(
      /^oidc\.roleMap: must map each name to one of support, steward,/,
    )
})

test('a session is kept in the tab or in memory, and nowhere else', () => {
  const parse = (session: unknown) => parseSettings({ apiUrl: 'api', oidc, session }, 'https://a.test/')
  expect([parse('tab').session, parse('memory').session]).toEqual(['tab', 'memory'])
  const words = (session: unknown) => wordsOf({ apiUrl: 'api', oidc, session })
  expect(words('cookie')).toBe('session: must be tab or memory')
  expect(words(1)).toBe('session: must be text')
})

test('settings in the page are not fetched', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('asked'))
  const content = { apiUrl: 'api', oidc, environment: { name: '</script>' } }
  document.body.innerHTML = `<script type="application/json" id="prefetched">${JSON.stringify({ settings: content }).replaceAll('<', '\\u003c')}</script>`
  expect(await readSettings('https://a.test/', readPageData())).toMatchObject({
    apiUrl: 'https://a.test/api',
    environment: { name: '</script>' },
  })
  expect(asked).not.toHaveBeenCalled()
})

test('without settings in the page, config.json beside it is fetched', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ apiUrl: 'api', oidc }))
  expect(await readSettings('https://a.test/sub/', readPageData())).toMatchObject({
    apiUrl: 'https://a.test/sub/api',
  })
  expect(fetch).toHaveBeenCalledWith(new URL('https://a.test/sub/config.json'), expect.anything())
})

afterEach(() => {
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})
