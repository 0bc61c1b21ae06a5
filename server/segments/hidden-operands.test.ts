import { expect, test } from 'vitest'

import { readAnsweredFilter, type Segment } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const secret = 'canary-7421'
const iban = { key: 'iban', type: 'TEXT', op: 'eq', value: secret }
const city = { key: 'city', type: 'TEXT', op: 'eq', value: 'Lyon' }
const body = {
  name: 'One account',
  filter: {
    any: [{ not: { entity: 'bank', where: [city, iban] } }, { entity: 'bank', where: [iban], min: 1 }],
  },
}

const service = testService()

test('operands of sensitive properties stay hidden for good from callers who may not read sensitive values', async () => {
  const properties = [
    { key: 'iban', type: 'TEXT', sensitive: true, value: secret },
    { key: 'city', type: 'TEXT', value: 'Lyon' },
  ]
  const user = await service.create('admin', '/users', {})
  await service.call('admin', 'POST', `/users/${user}/entities`, { type: 'bank', properties })
  const other = await service.create('admin', '/users', { ref: 'somebody else' })
  const created = await service.call('admin', 'POST', '/segments', body)
  const path = `/segments/${created.headers.get('location')?.split('/').at(-1)}`
  const { value: _, ...rest } = iban
  const hidden = { ...rest, masked: true }
  const masked = {
    any: [{ not: { entity: 'bank', where: [city, hidden] } }, { entity: 'bank', where: [hidden], min: 1 }],
  }

  // The operand stays hidden even when no user has such a property any more: it may be the value of a deleted user.
  for (const step of ['there', 'gone']) {
    if (step === 'gone') await service.call('admin', 'DELETE', `/users/${user}`)
    const plain: Segment = (await service.call('steward', 'GET', path)).body
    expect(plain.filter).toEqual(body.filter)
    const one = await service.call('support', 'GET', path)
    const list: Segment[] = (await service.call('support', 'GET', '/segments')).body
    for (const segment of [one.body as Segment, list[0]]) {
      expect(segment?.filter).toEqual(masked)
      expect(readAnsweredFilter(segment?.filter)).toEqual(masked)
    }
    const all = await service.call('support', 'GET', `/users/${other}/segments?explain=true`)
    expect(all.body).toEqual([
      { id: expect.any(String), name: body.name, member: step === 'there' ? null : true },
    ])
    expect(JSON.stringify([one.body, list, all.body])).not.toContain(secret)
  }

  for (const role of ['admin', 'support'] as const) {
    const preview = await service.call(role, 'POST', '/segments/preview', { filter: masked })
    expect(preview).toMatchObject({ status: 422, body: { errors: [{ code: 'masked_value' }, {}] } })
  }
  const written = await service.call('admin', 'PUT', path, { ...body, filter: masked })
  expect(written).toMatchObject({
    status: 422,
    body: {
      errors: [
        { pointer: '/filter/any/0/not/where/1/masked', code: 'masked_value' },
        { pointer: '/filter/any/1/where/0/masked', code: 'masked_value' },
      ],
    },
  })
  expect(((await service.call('admin', 'GET', path)).body as Segment).filter).toEqual(body.filter)
})
