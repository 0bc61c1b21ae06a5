import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'

import { testService } from '../testing/hooks.ts'
import { apiPagePaths } from './api-page.ts'

const service = testService()
const get = (path: string, headers: Record<string, string> = {}) =>
  service.fetch(`http://localhost/api${path}`, { headers })

test('the page for people takes scripts, fonts and answers from this service alone, and has no eval', async () => {
  const answer = await get('/docs')
  const page = await answer.text()
  const policy = new Map(
    answer.headers
      .get('content-security-policy')
      ?.split('; ')
      .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  )
  const [inline = ''] = /(?<=<script>).*?(?=<\/script>)/s.exec(page) ?? []
  const digest = createHash('sha256').update(inline).digest('base64')
  expect(policy.get('script-src')).toEqual(["'self'", `'sha256-${digest}'`])
  for (const from of ['connect-src', 'font-src']) expect(policy.get(from)).toEqual(["'self'"])
  for (const closed of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
    expect(policy.get(closed)).toEqual(["'none'"])
  expect(page).not.toMatch(/https?:/)
  for (const setting of ['"persistAuth":false', '"telemetry":false', '"withDefaultFonts":false'])
    expect(inline).toContain(setting)
})

test('the files of the page come once, packed where that is understood', async () => {
  const page = await (await get('/docs')).text()
  const named = new Set(page.match(/docs\/[\w-]+\.\w+/g))
  expect([...named, 'docs'].map((path) => `/${path}`).toSorted()).toEqual(apiPagePaths.toSorted())
  for (const path of named) {
    const { status, headers } = await get(`/${path}`, { 'accept-encoding': 'br' })
    expect([path, status, headers.get('content-type')]).toEqual([
      path,
      200,
      path.endsWith('.js') ? 'text/javascript;charset=UTF-8' : 'font/woff2',
    ])
    const etag = headers.get('etag') ?? ''
    expect((await get(`/${path}`, { 'if-none-match': etag })).status).toBe(304)
  }
  const packed = await get('/docs/reference.js', { 'accept-encoding': 'br' })
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(2_000_000)
})
