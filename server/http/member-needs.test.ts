import { expect, test } from 'vitest'

import type { Problem } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()

async function post(path: string, body: string, claims: object) {
  const authorization = `Bearer ${await service.sign({ sub: 'somebody', ...claims })}`
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await service.fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body })
  const answered: unknown = await response.json().catch(() => undefined)
  return { status: response.status, body: answered }
}

test.each([
  ['/users', '"properties"', { role: 'support' }, 'entities:write'],
  ['/users', String.raw`"prop\u0065rties"`, { role: 'support' }, 'entities:write'],
  ['/users/search', '"columns"', { scope: 'users:read' }, 'entities:read'],
  ['/users/lookup', '"columns"', { scope: 'users:read' }, 'entities:read'],
])('%s with %s asks for its scope before it reads further', async (path, member, claims, scope) => {
  // Not JSON behind the member.
  const refused = await post(path, `{"name":"x",${member}:[nonsense`, claims)
  expect(refused.status).toBe(403)
  expect(refused.body as Problem).toMatchObject({ code: 'insufficient_scope', scope })
  const unread = await post(path, `{"inner":{${member}:1},"name":nonsense`, claims)
  expect(unread.status).toBe(400)
})

test('a member that needs a scope is read for a caller who has it', async () => {
  const body = JSON.stringify({ name: 'Ana', properties: [{ key: 'city', type: 'TEXT', value: 'Bonn' }] })
  expect((await post('/users', body, { role: 'steward' })).status).toBe(201)
})

test.each([
  ['/users', { name: 'Ana', properties: null }, { role: 'support' }, 201],
  ['/users/search', { q: 'ana', columns: null }, { scope: 'users:read' }, 200],
])('a member of %s that is null is none, and asks for nothing', async (path, body, claims, status) => {
  expect((await post(path, JSON.stringify(body, undefined, 2), claims)).status).toBe(status)
  const unread = await post(path, JSON.stringify(body).replace('null', 'nullable'), claims)
  expect(unread.status).toBe(400)
})

test('a body beside OPTIONS, which needs no token, is not read', async () => {
  const answer = await service.fetch(`${service.baseUrl}/users`, {
    method: 'OPTIONS',
    headers: { 'content-type': 'application/json' },
    body: '{nonsense',
  })
  expect(answer.status).toBe(204)
})
