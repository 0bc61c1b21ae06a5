import { expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { connect } from '../../api/connection.ts'
import { fileUnder, put } from '../../api/index.ts'
import { createQueryClient } from '../../api/query-client.ts'
import { entitiesQuery } from './entities.ts'
import { keysQuery } from './keys.ts'

test('without a list of keys, those of the loaded entities are offered, whatever else was made of such lists', async () => {
  connect({ apiUrl: 'https://service.test/api', tokens: undefined as never, features: {} })
  const client = createQueryClient()
  const properties = [{ key: 'plate', type: 'TEXT', value: 'B-1' }]
  put(client, entitiesQuery('1'), [{ id: 'a', type: 'car', properties } as unknown as Entity])
  put(client, fileUnder('listEntities', { params: { user_id: '1' }, as: 'plan' }), { changes: [] })
  expect(await client.query(keysQuery('car'))).toEqual([{ key: 'plate', type: 'TEXT', sensitive: false }])
})
