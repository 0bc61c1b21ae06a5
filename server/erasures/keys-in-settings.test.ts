import { expect, test } from 'vitest'

import type { ErasureList } from '#contract/index.ts'
import { rewrapAll } from '../sealing/key-rotation.ts'
import { testService } from '../testing/hooks.ts'
import { testKeys } from '../testing/service.ts'
import { finaliseErasures } from './finalising.ts'

const service = testService()

const addUser = (name: string, iban: string) =>
  service.create('steward', '/users', {
    name,
    properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: iban }],
  })
const waiting = async (query = '') =>
  (await service.call('support', 'GET', `/erasures${query}`)).body as ErasureList

test('a deletion is final once the settings have none of the master keys of its time', async () => {
  const { keyring } = service.database.keys
  const leaving = await addUser('Leopold', 'DE02120300000000202051')
  const staying = await addUser('Stella', 'DE75512108001245126199')
  const nothing = await service.create('support', '/users', { name: 'Nothing Sealed' })
  for (const user of [leaving, nothing]) await service.call('admin', 'DELETE', `/users/${user}`)
  const listed = await waiting()
  expect(listed).toMatchObject({ total: 1, finalBy: 'operator', erasures: [{ user: leaving }] })
  expect(listed.erasures[0]).not.toHaveProperty('due')

  const next = { id: 'next', key: Buffer.alloc(32, 9) }
  // If the settings lack the key, no deletion is reported as final.
  keyring.replace([next])
  await expect(finaliseErasures(service.database)).rejects.toThrow('is not among ENCRYPTION_KEYS')
  keyring.replace(testKeys)
  expect((await waiting()).total).toBe(1)
  keyring.replace([next, ...testKeys])
  await rewrapAll(service.database.sql, keyring)
  await finaliseErasures(service.database)
  expect((await waiting()).total).toBe(1)
  keyring.replace([next])
  expect((await waiting()).total).toBe(0)
  await finaliseErasures(service.database)
  expect((await waiting('?state=waiting')).erasures).toEqual([])
  const { erasures } = await waiting('?state=final')
  expect(erasures.map(({ user }) => user)).toEqual([nothing, leaving])
  for (const { deleted, final, ...each } of erasures) {
    expect(each).toEqual({ user: each.user, state: 'final', actor: 'admin' })
    expect(Date.parse(final ?? '')).toBeGreaterThanOrEqual(Date.parse(deleted))
  }
  // A recorded time of finality never changes.
  await finaliseErasures(service.database)
  expect((await waiting('?state=final')).erasures).toEqual(erasures)
  const { body } = await service.call('steward', 'GET', `/users/${staying}/entities`)
  expect(body).toMatchObject([{ properties: [{ key: 'iban', value: 'DE75512108001245126199' }] }])
})
