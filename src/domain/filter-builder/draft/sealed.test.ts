import { expect, test } from 'vitest'

import {
  type DataType,
  dataTypes,
  maxFilterLeaves,
  operandOf,
  operatorsOf,
  type Problem,
} from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { fromFilter } from './filter-codec.ts'
import { sealedIssues } from './sealed.ts'

const service = testService()

const id = '01900000-0000-7000-8000-000000000000'
const moments = ['2024-03-01T10:00:00Z', '2024-03-02', { ago: 'P30D' }, { ahead: 'PT5H' }]
const values: Readonly<Record<DataType, readonly [unknown, ...unknown[]]>> = {
  BOOLEAN: [true],
  CURRENCY: [{ currency: 'EUR', value: '1.50' }],
  DATE: ['2024-03-01', { ago: 'P30D' }],
  DATETIME: ['2024-03-01T10:00:00Z', ...moments],
  TIME: ['10:00'],
  DECIMAL: ['1.50'],
  EMAIL: ['ana@example.org'],
  NUMBER: [3],
  RELATIONSHIP: [{ user: id }],
  TEXT: ['x'],
  URL: ['https://example.org/'],
  PREFERENCE: [{ status: 'GRANTED' }, { status: 'GRANTED', expires: '2030-01-01T00:00:00.000Z' }],
}

function operandsOf(type: DataType, op: ReturnType<typeof operatorsOf>[number]): readonly unknown[] {
  const [value] = values[type]
  switch (operandOf(op)) {
    case 'none':
      return [undefined]
    case 'value':
      return values[type]
    case 'list':
      return values[type].map((each) => [value, each])
    case 'range':
      return [[value, value]]
    case 'fragment':
      return ['x']
    case 'duration':
      return ['P30D']
  }
}

test('a test on a sensitive key is refused exactly where the service would refuse it', async () => {
  const { headers } = await service.call('admin', 'POST', '/users', { name: 'Ana' })
  const user = headers.get('location')?.split('/').at(-1) ?? ''
  const properties = dataTypes.map((type) => {
    const [value] = values[type]
    return { key: type, type, sensitive: true, value: type === 'RELATIONSHIP' ? { user } : value }
  })
  const made = await service.call('admin', 'POST', `/users/${user}/entities`, { type: 'person', properties })
  expect(made.status).toBe(201)

  const filters = dataTypes.flatMap((type) =>
    operatorsOf(type).flatMap((op) =>
      operandsOf(type, op).map((value) => ({
        entity: 'person',
        where: [{ key: type, type, op, ...(value !== undefined && { value }) }],
      })),
    ),
  )
  const seen = { refused: 0, taken: 0 }
  for (const tz of ['UTC', 'Europe/Berlin'])
    for (let from = 0; from < filters.length; from += maxFilterLeaves) {
      const all = filters.slice(from, from + maxFilterLeaves)
      const body = { name: 'A', filter: { all }, tz }
      const answer = await service.call('admin', 'POST', '/segments', body)
      const { errors = [] } = (answer.body ?? {}) as Partial<Problem>
      expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'sensitive_property'))
      for (const [index, filter] of all.entries()) {
        const node = fromFilter(filter)
        const property = node.kind === 'entity' ? node.properties[0] : undefined
        const said = property && sealedIssues(property, tz).map(({ position }) => position.control)
        const refused = errors
          .filter(({ pointer }) => pointer.startsWith(`/filter/all/${index}/`))
          .map(({ pointer }) => pointer.split('/').at(-1))
        expect.soft([filter.where, tz, said]).toEqual([filter.where, tz, refused])
        seen[refused.length > 0 ? 'refused' : 'taken'] += 1
      }
    }
  expect(seen.refused).toBeGreaterThan(50)
  expect(seen.taken).toBeGreaterThan(50)
})
