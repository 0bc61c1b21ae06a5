import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

import { segmentsPerPage } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import type { TestService } from '#server/testing/service.ts'
import { connect } from './connection.ts'
import { everyPage } from './every-page.ts'
import { api } from './operations.ts'

const service = testService()
beforeAll(async () => {
  await sql`
    insert into segments (id, name, filter, created, updated)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n::text, '{"all":[]}', now(), now()
    from generate_series(1, 2005) n`.execute(service.database.sql)
})

function open(features: TestService['features']) {
  const token = () => service.token('admin')
  connect({ apiUrl: service.baseUrl, tokens: { token, tokenAfter: token }, features, fetch: service.fetch })
}
const names = async () =>
  (await everyPage((query) => api.listSegments({ query }))).map(({ name }) => Number(name))

test('all segments are read, page by page', async () => {
  open(service.features)
  expect(await names()).toEqual(Array.from({ length: 2005 }, (_, n) => n + 1))
})

test('a service without pages gives its whole list in one answer', async () => {
  open({})
  expect(await names()).toHaveLength(segmentsPerPage)
})
