import { beforeAll, expect, test } from 'vitest'

import type { Definitions, Dictionary } from '#contract/index.ts'
import { readCounts, testService } from '../testing/hooks.ts'
import { insertSampleDefinitions } from './sample-definitions.ts'
import { makeSampleData } from './sample.ts'

const service = testService()
let sample: Definitions
let counted: Dictionary
beforeAll(async () => {
  await service.reset()
  await makeSampleData(service.database, 400, () => {})
  await insertSampleDefinitions(service.database)
  counted = await readCounts(service)
  sample = (await service.call('admin', 'GET', '/definitions')).body
})

test('about half of the keys are defined, the others inferred', () => {
  const properties = sample.entityTypes.flatMap((each) => each.properties)
  const defined = properties.filter(({ inferred }) => !inferred).length
  expect(defined / properties.length).toBeGreaterThan(0.4)
  expect(defined / properties.length).toBeLessThan(0.65)
})

test('each definition fits the values: somebody has the key, with its type, sealed where it says so', () => {
  for (const { type, inferred, properties } of sample.entityTypes) {
    expect(inferred).toBeUndefined()
    const keys = counted.entityTypes.find((each) => each.type === type)?.keys ?? []
    for (const { key, ...definition } of properties.filter((each) => !each.inferred)) {
      const { count, sensitive, types } = keys.find((each) => each.key === key) ?? {}
      expect([key, types?.[0]?.type, sensitive === count]).toEqual([
        key,
        definition.type,
        definition.sensitive === true,
      ])
      expect(Object.keys(definition.label ?? {})).toEqual(['en', 'de'])
    }
  }
})

test('every value of a key with choices is one of them', async () => {
  const language = sample.entityTypes
    .find(({ type }) => type === 'person')
    ?.properties.find(({ key }) => key === 'language')
  const { rows } = await service.database.pool.query<{ value: string }>(
    `select distinct properties -> 'language' ->> 'value' as value from entities
    where type = 'person' and properties ? 'language'`,
  )
  expect(rows.length).toBeGreaterThan(5)
  for (const { value } of rows) expect(language?.choices?.map((each) => each.value)).toContain(value)
})
