import { beforeEach, describe, expect, test } from 'vitest'

import type { AuditActors, AuditPage, AuditRow, Event, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { countNewestActors } from './newest-actors.ts'
import { actorsOf } from './storage.ts'

const service = testService()
const bare = testService({ additions: 'none' })
beforeEach(() => service.reset())

const secret = 'canary-7421'
const text = (key: string, sensitive = false) => ({ key, type: 'TEXT', value: secret, sensitive })
const because = (reason: string) => ({ 'change-reason': encodeURIComponent(reason) })

async function person() {
  const user = await service.create('steward', '/users', { name: 'Ana' })
  const entity = await service.create(
    'steward',
    `/users/${user}/entities`,
    { type: 'bank', properties: [text('iban', true), text('bic', true), text('city')] },
    because('Opened an account'),
  )
  return { user, entity, path: `/users/${user}/entities/${entity}` }
}

async function audit(query: Record<string, string> = {}, role: Role = 'admin'): Promise<AuditPage> {
  const { status, body } = await service.call(role, 'GET', `/audit?${String(new URLSearchParams(query))}`)
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toContain(secret)
  return body
}
const summarize = ({ rows }: AuditPage) =>
  rows.map(({ kind, actor, keys, reason }) => [kind, actor, keys, reason])

const reveal = (path: string, keys: string[], role: Role = 'steward') =>
  service.call(role, 'POST', `${path}/reveal`, { keys, reason: 'Asked by phone' })

describe('the audit', () => {
  test('tells who read, checked and changed which sensitive values of whom, and why, the newest first', async () => {
    const { user, entity, path } = await person()
    await reveal(path, ['iban'])
    await service.call('support', 'POST', `/users/${user}/check`, {
      keys: ['bic'],
      value: 'other',
      reason: 'A caller',
    })
    await service.call(
      'admin',
      'PATCH',
      path,
      { properties: [{ key: 'iban', value: 'x' }] },
      because('Moved'),
    )
    await service.call('admin', 'PATCH', path, { properties: [{ key: 'city', value: 'x' }] })
    const page = await audit()
    expect(summarize(page)).toEqual([
      ['change', 'admin', ['iban'], 'Moved'],
      ['check', 'support', ['bic'], 'A caller'],
      ['read', 'steward', ['iban'], 'Asked by phone'],
      ['change', 'steward', ['bic', 'iban'], 'Opened an account'],
    ])
    expect(page.next).toBe('')
    for (const row of page.rows) {
      expect(row).toMatchObject({ user, entity })
      const event: Event = (await service.call('admin', 'GET', `/events/${row.id}`)).body
      expect(event).toMatchObject({ eventtime: row.time, properties: { actor: row.actor } })
      expect(event.properties['changeset']).toBe(row.changeset)
    }
    // Viewing the audit log does not itself count as reading values.
    expect((await audit()).rows).toHaveLength(4)
  })

  test('is filtered by actor, person, key, kind and span, each alone and together', async () => {
    const [one, other] = [await person(), await person()]
    await reveal(one.path, ['iban'])
    await reveal(one.path, ['bic'], 'admin')
    await reveal(other.path, ['iban', 'bic'], 'admin')
    const all = (await audit()).rows
    expect(all).toHaveLength(5)
    const filters = {
      actor: [(row: AuditRow) => row.actor === 'admin', 'admin'],
      user: [(row: AuditRow) => row.user === one.user, one.user.toUpperCase()],
      key: [(row: AuditRow) => row.keys?.includes('bic') === true, 'bic'],
      kind: [(row: AuditRow) => row.kind === 'read', 'read'],
      from: [(row: AuditRow) => row.time >= (all[3]?.time ?? ''), all[3]?.time ?? ''],
      to: [(row: AuditRow) => row.time < (all[0]?.time ?? ''), all[0]?.time ?? ''],
    } as const
    const names = Object.keys(filters) as (keyof typeof filters)[]
    for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
      const used = names.filter((_, index) => (chosen >> index) % 2 === 1)
      const query = Object.fromEntries(used.map((name) => [name, filters[name][1]]))
      const expected = all.filter((row) => used.every((name) => filters[name][0](row)))
      expect([query, (await audit(query)).rows]).toEqual([query, expected])
    }
    for (const query of [{ actor: 'nobody' }, { user: 'nobody' }, { key: 'no' }])
      expect((await audit(query)).rows).toEqual([])
  })

  test('is read in pages of 100, without gaps or repetitions', async () => {
    const { path } = await person()
    for (let count = 0; count < 204; count++) await service.call('steward', 'GET', path)
    for (const query of [{}, { actor: 'steward' }, { key: 'iban' }, { key: 'bic', actor: 'steward' }]) {
      const rows: AuditRow[] = []
      const sizes: number[] = []
      let next: string | undefined
      do {
        const page = await audit({ ...query, ...(next !== undefined && { after: next }) })
        rows.push(...page.rows)
        sizes.push(page.rows.length)
        ;({ next } = page)
      } while (next !== '')
      expect(sizes).toEqual([100, 100, 5])
      expect(new Set(rows.map(({ id }) => id)).size).toBe(205)
      expect(rows.map(({ time }) => time)).toEqual(
        rows
          .map(({ time }) => time)
          .toSorted()
          .toReversed(),
      )
    }
    const unknown = await service.call('admin', 'GET', `/audit?after=${crypto.randomUUID()}`)
    expect(unknown).toMatchObject({ status: 400, body: { code: 'invalid_after' } })
  })

  test('is for those who may read sensitive values, and tells keys to those who may read entities', async () => {
    const { path } = await person()
    await reveal(path, ['iban'])
    for (const at of ['/audit', '/audit/actors'])
      for (const role of ['support', 'integrator'] as const) {
        const refused = await service.call(role, 'GET', at)
        expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
        expect(JSON.stringify(refused.body)).toContain('sensitive:read')
        expect(JSON.stringify(refused.body)).not.toMatch(/iban|Asked/)
      }
    const token = await service.sign({ sub: 'auditor', scope: 'sensitive:read' })
    const get = (at: string) =>
      service.fetch(`${service.baseUrl}${at}`, { headers: { authorization: `Bearer ${token}` } })
    const seen: AuditPage = JSON.parse(await (await get('/audit')).text())
    expect(seen.rows.map(({ reason }) => reason)).toEqual(['Asked by phone', 'Opened an account'])
    expect(JSON.stringify(seen)).not.toMatch(/keys|iban/)
    const guessed = await get('/audit?key=iban')
    expect(guessed.status).toBe(403)
    expect(await guessed.text()).toContain('entities:read')
  })

  test('keeps ids alone of a user who is deleted', async () => {
    const { user, path } = await person()
    const other = await person()
    await reveal(path, ['iban'])
    // The change is not yet numbered into the log when its user is deleted.
    await service.call('steward', 'PATCH', path, { properties: [{ key: 'bic', value: 'x' }] }, because('Why'))
    await service.call('steward', 'DELETE', `/users/${user}`)
    expect(summarize(await audit({ user }))).toEqual([
      ['change', 'steward', [], undefined],
      ['read', 'steward', [], undefined],
      ['change', 'steward', [], undefined],
    ])
    expect((await audit({ key: 'iban' })).rows.map((row) => row.user)).toEqual([other.user])
  })

  test('is no part of the bare document', async () => {
    expect((await bare.call('admin', 'GET', '/audit')).status).toBe(404)
    expect(bare.features).not.toHaveProperty('audit')
  })
})

describe('the actors of a span', () => {
  /** Records that an actor met `people` different users, once each, at intervals of one second after `at`. */
  async function meet(actor: string, people: number, at: string, first = 0) {
    await service.database.pool.query(
      `insert into event_inbox (id, eventtime, type, properties)
       select gen_random_uuid(), $3::timestamp + n * interval '1 second', 'SENSITIVE_DATA_ACCESSED',
         jsonb_build_object('user', ('00000000-0000-7000-8000-' || lpad((n + $4)::text, 12, '0')), 'actor', $1::text, 'keys', '["iban"]')
       from generate_series(1, $2::int) n`,
      [actor, people, at, first],
    )
    await service.call('admin', 'GET', '/audit')
  }
  async function actors(query: Record<string, string> = {}): Promise<AuditActors> {
    const { status, body } = await service.call(
      'steward',
      'GET',
      `/audit/actors?${String(new URLSearchParams(query))}`,
    )
    expect(status).toBe(200)
    return body
  }
  const march = { from: '2024-03-01T00:00:00Z', to: '2024-04-01T00:00:00Z' }

  test('are told with what they did, to how many, and in which hour to most', async () => {
    const { path } = await person()
    await person()
    await reveal(path, ['iban'])
    await reveal(path, ['bic'])
    await service.call('support', 'POST', path.replace(/entities.*/, 'check'), { keys: ['bic'], value: 'no' })
    const { actors: found } = await actors()
    const hour = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/)
    expect(found).toEqual([
      {
        actor: 'steward',
        reads: 2,
        checks: 0,
        changes: 2,
        people: 2,
        busiest: { people: 2, hour },
        unusual: false,
      },
      {
        actor: 'support',
        reads: 0,
        checks: 1,
        changes: 0,
        people: 1,
        busiest: { people: 1, hour },
        unusual: false,
      },
    ])
  })

  test('count all users of a search, who are not told apart, and no more than there is room for', async () => {
    const search = async (actor: string, users: number, at: string, user?: string) => {
      const properties = { actor, by: 'search', tested: '["bank.iban"]', users: String(users), user }
      await service.database.pool.query(
        `insert into event_inbox (id, eventtime, type, properties)
         values (gen_random_uuid(), $1::timestamp, 'SENSITIVE_DATA_SEARCHED', $2::jsonb)`,
        [at, JSON.stringify(properties)],
      )
    }
    await meet('ana', 4, '2024-03-01T08:00:00')
    await search('ana', 0, '2024-03-01T08:10:00')
    await search('ana', 12, '2024-03-01T08:20:00')
    await search('ana', 12, '2024-03-01T08:30:00')
    await search('ana', 70, '2024-03-02T08:00:00')
    // Two searches for the same user: the second finds a user the actor has met already.
    const { user } = await person()
    await search('eva', 1, '2024-03-03T08:00:00', user)
    await search('eva', 1, '2024-03-03T08:10:00', user)
    for (const at of ['2024-03-04T08:00:00', '2024-03-04T08:20:00', '2024-03-05T08:40:00'])
      await search('all', 2_000_000_000, at)
    const found = new Map((await actors(march)).actors.map((each) => [each.actor, each]))
    expect(found.get('ana')).toMatchObject({
      reads: 8,
      people: 98,
      busiest: { people: 70, hour: '2024-03-02T08:00:00.000Z' },
      usual: 28,
    })
    expect(found.get('eva')).toMatchObject({ reads: 2, people: 1, busiest: { people: 1 } })
    expect(found.get('all')).toMatchObject({
      people: 2_000_000_000,
      busiest: { people: 1_000_000_000 },
    })
    const { rows } = await audit({ actor: 'eva', key: 'iban' })
    expect(rows).toMatchObject([{ user, by: 'search', users: 1 }, { user }])
  })

  test('count each person once, in an hour and in the days asked for', async () => {
    await meet('ana', 10, '2024-02-29T23:00:00')
    await meet('ana', 4, '2024-03-01T08:00:00', 8)
    await meet('ana', 4, '2024-03-01T08:30:00', 10)
    // These two users were met the day before and earlier in this hour.
    await meet('ana', 2, '2024-03-01T08:45:00', 8)
    await meet('ana', 3, '2024-03-02T09:00:00', 9)
    await meet('ana', 2, '2024-04-01T09:00:00', 50)
    const [ana] = (await actors(march)).actors
    expect(ana).toMatchObject({
      reads: 13,
      people: 6,
      busiest: { people: 6, hour: '2024-03-01T08:00:00.000Z' },
      usual: 3,
    })
    const day = await actors({ from: '2024-03-02T11:00:00Z', to: '2024-03-02T12:00:00Z' })
    expect(day).toMatchObject({ from: '2024-03-02', to: '2024-03-03', actors: [{ people: 3, reads: 3 }] })
    const year = await actors({ from: '2023-06-01T00:00:00Z', to: '2024-06-01T00:00:00Z' })
    expect(year.actors).toMatchObject([{ people: 16 }])
  })

  test('are unusual who meet many people in short time, measured by their other days', async () => {
    for (const [day, usual] of [
      ['04', 8],
      ['05', 12],
    ] as const)
      await meet('burst', usual, `2024-03-${day}T09:00:00`)
    // Several busy hours on one day must not mask each other.
    for (const hour of ['12', '13', '14']) await meet('burst', 60, `2024-03-06T${hour}:00:00`, 100)
    await meet('new', 50, '2024-03-06T12:00:00')
    await meet('few', 49, '2024-03-06T12:00:00')
    for (const day of ['04', '05', '06']) await meet('busy', 200, `2024-03-${day}T09:00:00`)
    const { actors: found } = await actors(march)
    expect(found.map(({ actor, unusual, usual }) => [actor, unusual, usual])).toEqual([
      ['burst', true, 10],
      ['new', true, undefined],
      ['busy', false, 200],
      ['few', false, undefined],
    ])
  })

  test('are those of the last 30 days, or of a year at most', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    await meet('late', 1, at(2))
    await meet('early', 1, at(40))
    expect((await actors()).actors.map(({ actor }) => actor)).toEqual(['late'])
    expect((await actors({ from: at(360) })).actors).toHaveLength(2)
    for (const query of [{ to: '0000-02-29T00:00:00Z' }, { to: '9999-12-31T23:59:59-14:00' }])
      expect((await actors(query)).actors).toEqual([])
    for (const query of [{ from: at(400) }, { from: at(1), to: at(3) }])
      expect(
        await service.call('admin', 'GET', `/audit/actors?${String(new URLSearchParams(query))}`),
      ).toMatchObject({
        status: 400,
        body: { errors: [{ parameter: 'from' }] },
      })
  })

  test('are of the rows that are listed, by each filter and all together', async () => {
    const [one, other] = [await person(), await person()]
    await reveal(one.path, ['iban'])
    await reveal(one.path, ['bic'], 'admin')
    await reveal(other.path, ['iban', 'bic'], 'admin')
    await service.call('support', 'POST', `/users/${one.user}/check`, { keys: ['bic'], value: 'no' })
    const [newest, , third] = (await audit()).rows
    const filters = {
      actor: 'admin',
      user: one.user.toUpperCase(),
      key: 'bic',
      kind: 'read',
      from: third?.time ?? '',
      to: newest?.time ?? '',
    }
    const names = Object.keys(filters) as (keyof typeof filters)[]
    for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
      const used = names.filter((_, index) => (chosen >> index) % 2 === 1)
      // Without a user, key or kind filter, the daily counts answer instead.
      if (!used.some((name) => name === 'user' || name === 'key' || name === 'kind')) continue
      const query = Object.fromEntries(used.map((name) => [name, filters[name]]))
      const { rows } = await audit(query)
      const expected = [...new Set(rows.map(({ actor }) => actor))].toSorted().map((actor) => {
        const own = rows.filter((row) => row.actor === actor)
        const of = (kind: string) => own.filter((row) => row.kind === kind).length
        const people = new Set(own.map((row) => row.user)).size
        return { actor, reads: of('read'), checks: of('check'), changes: of('change'), people }
      })
      const found = (await actors(query)).actors
      const tallies = found.map(({ actor, reads, checks, changes, people }) => ({
        actor,
        reads,
        checks,
        changes,
        people,
      }))
      expect([query, tallies.toSorted((a, b) => (a.actor < b.actor ? -1 : 1))]).toEqual([query, expected])
    }
    for (const query of [{ kind: 'read', actor: 'nobody' }, { user: 'nobody' }, { key: 'no' }])
      expect((await actors(query)).actors).toEqual([])
  })

  test('are of one actor alone where one is asked for, by days too', async () => {
    await meet('ana', 3, '2024-03-01T08:00:00')
    await meet('eva', 5, '2024-03-01T08:00:00')
    expect((await actors({ ...march, actor: 'ana' })).actors).toMatchObject([{ actor: 'ana', people: 3 }])
    expect((await actors({ ...march, actor: 'nobody' })).actors).toEqual([])
  })

  test('say which span they are of: what was asked for, or from the oldest act that is counted', async () => {
    await meet('ana', 3, '2020-03-01T08:00:00')
    const span = { from: '2020-03-01T09:00:02.500+01:00', to: '2020-03-01T09:00:30Z' }
    expect(await actors({ kind: 'read', ...span })).toMatchObject({
      from: '2020-03-01T08:00:02.500Z',
      to: '2020-03-01T09:00:30.000Z',
      actors: [{ actor: 'ana', reads: 1 }],
    })
    const all = await actors({ kind: 'read' })
    expect(all).toMatchObject({ from: '2020-03-01T08:00:01.000Z', actors: [{ reads: 3 }] })
    expect(Date.parse(all.to)).toBeGreaterThan(Date.now() - 60_000)
    expect(all).not.toHaveProperty('cut')
    const none = await actors({ kind: 'check', to: span.to })
    expect(none).toEqual({ from: '2020-03-01T09:00:30.000Z', to: '2020-03-01T09:00:30.000Z', actors: [] })
    const years = { kind: 'read', from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59-14:00' }
    expect((await actors(years)).actors).toMatchObject([{ reads: 3 }])
    expect(
      await service.call('admin', 'GET', `/audit/actors?kind=read&from=${march.to}&to=${march.from}`),
    ).toMatchObject({ status: 400, body: { errors: [{ parameter: 'from' }] } })
  })

  test('a caller who may not read entities cannot learn from the figures who has a property', async () => {
    const token = await service.sign({ sub: 'auditor', scope: 'sensitive:read' })
    const get = (at: string) =>
      service.fetch(`${service.baseUrl}${at}`, { headers: { authorization: `Bearer ${token}` } })
    expect((await get('/audit/actors?kind=read')).status).toBe(200)
    const guessed = await get('/audit/actors?key=iban')
    expect(guessed.status).toBe(403)
    expect(await guessed.text()).toContain('entities:read')
  })

  test('are the same counted from the log as kept by days', async () => {
    let seed = 7
    const pick = (count: number) => (seed = (seed * 48_271) % 2_147_483_647) % count
    const happened = Array.from({ length: 400 }, () => {
      const at = new Date(Date.UTC(2024, 2, 1 + pick(6), pick(24), pick(60)))
      const actor = ['ana', 'eva', 'bo'][pick(3)]
      const user = `00000000-0000-7000-8000-${String(pick(40)).padStart(12, '0')}`
      const searched = { actor, by: 'search', tested: '["bank.iban"]', users: String(pick(30)) }
      const acts = [
        { type: 'SENSITIVE_DATA_ACCESSED', properties: { actor, user, keys: '["iban"]' } },
        { type: 'SENSITIVE_DATA_CHECKED', properties: { actor, user, keys: '["bic"]' } },
        { type: 'SENSITIVE_DATA_SEARCHED', properties: searched },
        { type: 'SENSITIVE_DATA_SEARCHED', properties: { ...searched, user, users: '1' } },
      ]
      return { at, ...acts[pick(acts.length)] }
    }).toSorted((a, b) => a.at.getTime() - b.at.getTime())
    await service.database.pool.query(
      `insert into event_inbox (id, eventtime, type, properties)
       select gen_random_uuid(), (row ->> 'at')::timestamp, row ->> 'type', row -> 'properties'
       from jsonb_array_elements($1::jsonb) with ordinality each (row, place) order by place`,
      [JSON.stringify(happened)],
    )
    await service.call('admin', 'GET', '/audit')
    const days = { from: '2024-03-02', to: '2024-03-06', atMost: 10 }
    const kept = await actorsOf(service.database.sql, days)
    const span = { from: Date.parse(days.from), to: Date.parse(days.to) }
    const counted = await countNewestActors(service.database.sql, span, { atMost: 10, rows: 1_000 })
    expect(counted.actors).toHaveLength(3)
    expect(counted).toMatchObject({ actors: kept, isCut: false })
    // Only the newest rows are counted, and the answer includes the time of the oldest one.
    const cut = await countNewestActors(service.database.sql, {}, { atMost: 10, rows: 50 })
    const rows = (await audit()).rows.slice(0, 50)
    expect(cut).toMatchObject({ isCut: true, oldest: rows.at(-1)?.time })
    const total = cut.actors.reduce((sum, { reads, checks }) => sum + reads + checks, 0)
    expect(total).toBe(50)
  })

  test('are as many as are asked for at most', async () => {
    for (const actor of ['a', 'b', 'c']) await meet(actor, 1, '2024-03-06T12:00:00')
    const span = { from: '2024-03-01', to: '2024-04-01', atMost: 2 }
    expect(await actorsOf(service.database.sql, span)).toHaveLength(2)
  })
})
