// Puts into the store what makes reading lists dear: as many segments as a page holds, each with a size for every day, as
// many webhooks as there may be, and a user with large entities.
import { sql } from 'kysely'

import { historyDays, maxSubscriptions, segmentsPerPage, type Segment } from '#contract/index.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { application } from './application.ts'

/** Entity of 500 properties that nearly fills a body. */
export const largeEntity = {
  type: 'car',
  properties: Array.from({ length: 500 }, (_, at) => ({
    key: `note ${at}`,
    type: 'TEXT',
    value: String(at).padStart(1900, 'x'),
  })),
}
const largeEntities = 8

export interface Prepared {
  readonly user: string
  readonly entity: string
}

export async function prepareStore(): Promise<Prepared> {
  const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', ...process.env })
  const database = await openDatabase(config.store, config.keys)
  const { app, request } = await application(database, config)
  const created = async (path: string, body: object) =>
    (await request<{ location: string }>('POST', path, body)).location.split('/').at(-1) ?? ''

  const segments = await request<Segment[]>('GET', '/segments')
  for (let at = segments.length; at < segmentsPerPage; at++)
    await created('/segments', {
      name: `Segment ${at}`,
      filter: {
        all: Array.from({ length: 10 }, (_, test) => ({
          entity: 'address',
          where: [{ key: 'city', type: 'TEXT', op: 'eq', value: `City ${at} ${test}` }],
        })),
      },
    })
  await sql`
    insert into segment_sizes (segment_id, day, total, users, sensitive)
    select id, (now() at time zone 'UTC')::date - past, past, 50000, false
    from segments, generate_series(0, ${historyDays - 1}::int) past on conflict do nothing`.execute(
    database.sql,
  )

  // At least one event in each hour of the last five years.
  await sql`
    insert into event_counts (hour, type, none)
    select date_trunc('hour', now() at time zone 'UTC') - interval '1 hour' * past, 'USER_CREATED', 1
    from generate_series(1, 45000) past on conflict do nothing`.execute(database.sql)

  const subscriptions = await request<object[]>('GET', '/subscriptions')
  for (let at = subscriptions.length; at < maxSubscriptions; at++)
    await request('POST', '/subscriptions', {
      url: `https://example.org/hooks/${at}`,
      types: ['SEGMENT_DELETED'],
    })

  const user = await created('/users', { ref: 'neighbours: large' })
  const entities = await request<{ id: string }[]>('GET', `/users/${user}/entities?sensitive=masked`)
  const ids = entities.map(({ id }) => id)
  while (ids.length < largeEntities) ids.push(await created(`/users/${user}/entities`, largeEntity))
  await app.close()
  await database.close()
  return { user, entity: ids[0] ?? '' }
}
