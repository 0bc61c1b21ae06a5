import { expect, test } from 'vitest'

import type { Definitions } from '#contract/index.ts'
import { definesKeys } from './define-keys.ts'
import { testService } from './hooks.ts'

const service = testService()

test('every key that a request writes or filters by is defined, as another data type than its values', async () => {
  expect(definesKeys()).toBe(true)
  const plate = { key: 'plate', type: 'TEXT', sensitive: true, value: 'AB-1' }
  const user = await service.create('steward', '/users', {
    properties: [{ key: 'city', type: 'TEXT', value: 'Paris' }],
  })
  const car = await service.create('steward', `/users/${user}/entities`, {
    type: 'car',
    properties: [plate],
  })
  const doors = { properties: [{ key: 'doors', type: 'NUMBER', value: 5 }] }
  await service.call('steward', 'PATCH', `/users/${user}/entities/${car}`, doors)
  const filter = { entity: 'order', where: [{ key: 'paid', type: 'TEXT', op: 'exists' }] }
  await service.create('admin', '/segments', { name: 'Paid', filter })
  const { entityTypes } = (await service.call('integrator', 'GET', '/definitions')).body as Definitions
  const defined = entityTypes.flatMap(({ type, properties }) =>
    properties.map(({ key, sensitive, ...each }) => [`${type}.${key}`, each.type, sensitive]),
  )
  expect(new Set(defined)).toEqual(
    new Set([
      ['car.doors', 'TEXT', undefined],
      ['car.plate', 'NUMBER', true],
      ['order.paid', 'NUMBER', undefined],
      ['person.city', 'NUMBER', undefined],
    ]),
  )
})
