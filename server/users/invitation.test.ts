import { createSecretKey } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'

import { type Changeset, type Event, type User, dayMs } from '#contract/index.ts'
import { deriveSecrets } from '../sealing/secrets.ts'
import { testService } from '../testing/hooks.ts'
import { checkInvitation, inviteUrl } from './invitation.ts'

const secret = createSecretKey(Buffer.alloc(32, 1))
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

describe('an invitation', () => {
  test('works for 30 to 31 days, for its user only', () => {
    for (const now of [0, 1, dayMs - 1].map((ms) => 20_000 * dayMs + ms)) {
      const token = tokenOf(inviteUrl('https://example.org/', secret, 'ana', now))
      expect(checkInvitation(secret, 'ana', token, now)).toBe('valid')
      expect(checkInvitation(secret, 'ana', token, now + 30 * dayMs)).toBe('valid')
      expect(checkInvitation(secret, 'ana', token, now + 31 * dayMs)).toBe('expired')
      expect(checkInvitation(secret, 'eva', token, now)).toBe('invalid')
      expect(checkInvitation(createSecretKey(Buffer.alloc(32, 2)), 'ana', token, now)).toBe('invalid')
    }
  })

  test.each([
    ['nothing', () => ''],
    ['a later day', (token: string) => token.replace(/^\d+/, (day) => String(Number(day) + 1))],
    ['no signature', (token: string) => token.replace(/\..*/, '.')],
    ['part of a signature', (token: string) => token.slice(0, -1)],
    ['more', (token: string) => `${token}A`],
    ['another letter', (token: string) => token.slice(0, -2) + (token.at(-2) === 'A' ? 'BA' : 'AA')],
    ['letters of other scripts', () => `20031.${'é'.repeat(43)}`],
  ])('with %s is invalid', (_what, spoil) => {
    const now = 20_000 * dayMs
    const token = tokenOf(inviteUrl('https://example.org/', secret, 'ana', now))
    expect(checkInvitation(secret, 'ana', spoil(token), now)).toBe('invalid')
  })
})

describe('accepting it', () => {
  const service = testService()
  let id: string
  beforeEach(async () => {
    await service.reset()
    id = await service.create('support', '/users', { name: 'Ana' })
  })

  const get = async (): Promise<User> => (await service.call('support', 'GET', `/users/${id}`)).body
  const accept = (token: string, user = id) =>
    service.call('support', 'POST', `/users/${user}/account`, { token })
  const events = async (): Promise<Event[]> => (await service.call('support', 'GET', '/events')).body

  test('makes account true, with one event that tells it; again, nothing more', async () => {
    const token = tokenOf((await get()).invite_url ?? '')
    for (const user of [id, id.toUpperCase()]) {
      const answer = await accept(token, user)
      expect(answer.status).toBe(204)
      expect(answer.body).toBeUndefined()
    }
    expect((await get()).account).toBe(true)
    const all = await events()
    expect(all.map(({ type }) => type)).toEqual(['USER_CREATED', 'USER_UPDATED'])
    expect(all[1]?.properties).toEqual({ user: id, changeset: expect.any(String), actor: 'support' })
    const { body } = await service.call(
      'support',
      'GET',
      `/changesets/${String(all[1]?.properties.changeset)}`,
    )
    expect((body as Changeset).changes).toEqual([
      { op: 'change', key: 'account', type: 'BOOLEAN', sensitive: false, before: false, after: true },
    ])
  })

  test('is refused for a token of somebody else, of nobody, and an expired one; none is echoed', async () => {
    const other = await service.create('support', '/users', { name: 'Eva' })
    const { invitation } = deriveSecrets({ id: 'test', key: Buffer.alloc(32, 7) })
    const link = (user: string, now: number) =>
      tokenOf(inviteUrl('https://example.org/', invitation, user, now))
    for (const [token, code] of [
      [link(other, Date.now()), 'invalid_invitation'],
      ['canary', 'invalid_invitation'],
      [link(id, Date.now() - 31 * dayMs), 'expired_invitation'],
      [link(other, Date.now() - 31 * dayMs), 'invalid_invitation'],
    ] as const) {
      const answer = await accept(token)
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/token', code }] })
      expect(JSON.stringify(answer.body)).not.toContain(token)
    }
    expect((await get()).account).toBe(false)
    expect(await events()).toHaveLength(2)
  })

  test('has no user to do it for', async () => {
    for (const user of ['no-uuid', '01900000-0000-7000-8000-000000000000'])
      expect((await accept('x', user)).status).toBe(404)
    expect((await service.call('support', 'POST', `/users/${id}/account`, {})).status).toBe(422)
  })
})
