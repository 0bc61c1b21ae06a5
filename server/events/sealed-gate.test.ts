import { beforeEach, describe, expect, test } from 'vitest'

import type { Changeset, Entity, Event, Membership } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf, startTestService, type TestService } from '../testing/service.ts'
import { entitiesIn } from './named-entities.ts'

const secret = 'canary-7421'
interface Made {
  readonly user: string
  /** Ids of the first three entities; the third has no sensitive property. */
  readonly ids: readonly string[]
  /** Path of the first entity. */
  readonly path: string
  readonly changeset: string
}

async function make(on: TestService): Promise<Made> {
  const user = idOf(await on.call('steward', 'POST', '/users', { name: 'Ana' }))
  const ids: string[] = []
  for (const sensitive of [['iban', 'bic'], ['iban'], []])
    ids.push(
      idOf(
        await on.call('steward', 'POST', `/users/${user}/entities`, {
          type: 'bank',
          properties: ['city', 'iban', 'bic'].map((key) => {
            const isSecret = sensitive.includes(key)
            return { key, type: 'TEXT', sensitive: isSecret, value: isSecret ? secret : 'open' }
          }),
        }),
      ),
    )
  const [, created]: Event[] = (await on.call('admin', 'GET', '/events')).body
  const changeset = String(created?.properties.changeset)
  return { user, ids, path: `/users/${user}/entities/${ids[0]}`, changeset }
}

const accesses = async (on: TestService): Promise<unknown[]> =>
  ((await on.call('admin', 'GET', '/events?type=SENSITIVE_DATA_ACCESSED')).body as unknown as Event[]).map(
    ({ properties }) => properties,
  )

describe('reading sensitive values', () => {
  const service = testService()
  let made: Made
  beforeEach(async () => {
    await service.reset()
    made = await make(service)
  })

  test('is on the record, one event for each answer, with who and which', async () => {
    const { user, ids, path, changeset } = made
    const of = (index: number, ...keys: string[]) => ({
      user,
      entity: ids[index],
      actor: 'steward',
      keys: JSON.stringify(keys),
    })
    expect(JSON.stringify(await service.call('steward', 'GET', path))).toContain(secret)
    expect(await accesses(service)).toEqual([of(0, 'iban', 'bic')])
    await service.call('steward', 'GET', `/users/${user.toUpperCase()}/entities`)
    const entities = JSON.stringify({ [ids[0] ?? '']: ['iban', 'bic'], [ids[1] ?? '']: ['iban'] })
    expect((await accesses(service)).slice(1)).toEqual([
      { user, entities, actor: 'steward', keys: '["iban","bic"]' },
    ])
    await service.call('steward', 'GET', `/changesets/${changeset}`)
    expect((await accesses(service)).slice(2)).toEqual([of(0, 'iban', 'bic')])
  })

  test('makes no event where nothing sensitive is shown', async () => {
    const { user, ids, path, changeset } = made
    for (const at of [path, `/users/${user}/entities`, `/changesets/${changeset}`]) {
      expect((await service.call('support', 'GET', at)).status).toBe(200)
      expect((await service.call('steward', 'GET', `${at}?sensitive=masked`)).status).toBe(200)
    }
    await service.call('steward', 'GET', `/users/${user}/entities/${ids[2]}`)
    await service.call('steward', 'GET', `/users/${user}`)
    expect(await accesses(service)).toEqual([])
  })

  test('is also to be told why somebody is in a segment that asks for them', async () => {
    const { user, ids } = made
    const where = [{ key: 'iban', type: 'TEXT', op: 'eq', value: secret }]
    const filter = { any: [{ not: { entity: 'bank', where } }, { all: [{ entity: 'bank', where }] }] }
    await service.call('admin', 'POST', '/segments', { name: 'One account', filter })
    await service.call('steward', 'GET', `/users/${user}/segments`)
    await service.call('support', 'GET', `/users/${user}/segments?explain=true`)
    expect(await accesses(service)).toEqual([])
    await service.call('steward', 'GET', `/users/${user}/segments?explain=true`)
    const entities = JSON.stringify({ [ids[0] ?? '']: ['iban'], [ids[1] ?? '']: ['iban'] })
    expect(await accesses(service)).toEqual([{ user, entities, actor: 'steward', keys: '["iban"]' }])
  })

  test('in a list that is sent in parts is recorded before each part is sent', async () => {
    const { user } = made
    const value = 'x'.repeat(60_000)
    for (let index = 0; index < 12; index++)
      await service.call('steward', 'POST', `/users/${user}/entities`, {
        type: 'bank',
        properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value }],
      })
    const { body } = await service.call('steward', 'GET', `/users/${user}/entities`)
    expect(body).toHaveLength(15)
    const parts = (await accesses(service)) as { entities?: string; entity?: string }[]
    expect(parts.length).toBeLessThan(6)
    const recorded = parts.flatMap(({ entities, entity = '' }) =>
      entities ? entitiesIn(entities).keys().toArray() : [entity],
    )
    expect(recorded.toSorted()).toEqual(
      (body as Entity[])
        .filter(({ id }) => id !== made.ids[2])
        .map(({ id }) => id)
        .toSorted(),
    )
  })
})

test('with SENSITIVE_READS=reveal a value is shown for a reason alone', async () => {
  const service = await startTestService({ sensitiveReads: 'reveal' })
  const { user, path, changeset } = await make(service)
  const where = [{ key: 'iban', type: 'TEXT', op: 'eq', value: secret }]
  await service.call('admin', 'POST', '/segments', { name: 'One account', filter: { entity: 'bank', where } })
  const reads = [path, `/users/${user}/entities`, `/changesets/${changeset}`]
  for (const at of reads) {
    const answer = await service.call('admin', 'GET', at)
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).not.toContain(secret)
  }
  const changes = ((await service.call('admin', 'GET', `/changesets/${changeset}`)).body as Changeset).changes
  expect(changes[1]).toMatchObject({ key: 'iban', masked: true })
  const [member]: Membership[] = (await service.call('admin', 'GET', `/users/${user}/segments?explain=true`))
    .body
  expect(member).toEqual({ id: expect.any(String), name: 'One account', member: null })
  expect(await accesses(service)).toEqual([])

  // An entity that was read masked can be written back without losing the value.
  const read: Entity = (await service.call('steward', 'GET', path)).body
  expect((await service.call('steward', 'PUT', path, { ...read, type: 'account' })).status).toBe(204)
  const revealed = await service.call('steward', 'POST', `${path}/reveal`, {
    keys: ['iban'],
    reason: 'Asked',
  })
  expect(revealed.body).toMatchObject({ properties: [{ key: 'iban', value: secret }] })
  expect(await accesses(service)).toHaveLength(1)
  await service.close()
})
