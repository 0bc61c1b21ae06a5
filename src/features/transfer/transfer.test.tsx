import { resolveObjectURL } from 'node:buffer'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { type Entity, type Event, type User, userColumns, type UserList } from '#contract/index.ts'
import { stripGuard } from '#contract/reading/guards.ts'
import { findSeparator, readRows } from '#contract/reading/table.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { listenAloud, renderApp, type RenderAppOptions } from '../../testing/render-app.tsx'

/** Complete files handed to the browser for download. */
let downloads: { readonly name: string; readonly text: Promise<string> }[] = []

beforeEach(() => {
  downloads = []
  // jsdom cannot download, so the content of the link is captured here.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    const blob = resolveObjectURL(this.href)
    downloads.push({ name: this.download, text: blob?.text() ?? Promise.reject(new Error('No such file.')) })
  })
})

const readDownload = async () => {
  await waitFor(() => expect(downloads).not.toEqual([]))
  return (await downloads.at(-1)?.text) ?? ''
}
const rowsOf = (text: string) =>
  [...readRows(text, findSeparator(text))].map(({ cells }) => cells.map(stripGuard))

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const box = (name: string | RegExp) => screen.findByRole('checkbox', { name })

describe('on a full service', () => {
  const service = testService({ jobs: true })
  let edge: ReturnType<typeof network>
  beforeEach(async () => {
    await service.reset()
    edge = network(service)
  })
  afterEach(() => edge.meet(() => undefined))

  const open = (path: string, options: Partial<RenderAppOptions> = {}) =>
    renderApp({ service: { ...service, fetch: edge.fetch }, path, ...options })
  const create = async (path: string, body: unknown): Promise<string> => {
    const { headers } = await service.call('admin', 'POST', path, body)
    return headers.get('location')?.split('/').at(-1) ?? ''
  }
  const users = async (): Promise<User[]> => {
    const all: User[] = []
    for (let offset = ''; ;) {
      const { body } = await service.call('admin', 'GET', `/users?offset=${offset}`)
      const page = body as UserList
      all.push(...page.users)
      if (!page.next) return all
      offset = page.next
    }
  }
  /** Exports all users with these properties of theirs, by the service, as the console does. */
  const exportFile = async (keys: readonly string[]) => {
    const job = await create('/exports', {
      format: 'csv',
      columns: [...userColumns, ...keys.map((key) => `person.${key}`)],
      entities: 'each',
      filter: { all: [] },
      byteOrderMark: true,
    })
    await waitFor(async () =>
      expect((await service.call('admin', 'GET', `/jobs/${job}`)).body).toMatchObject({ state: 'finished' }),
    )
    const headers = { authorization: `Bearer ${await service.token('admin')}` }
    return await (await service.fetch(`${service.baseUrl}/jobs/${job}/file`, { headers })).text()
  }
  const propertiesOf = async (id: string) => {
    const { body } = await service.call('admin', 'GET', `/users/${id}/entities`)
    return (body as Entity[]).map(({ type, properties }) => [
      type,
      Object.fromEntries(properties.map(({ key, value }) => [key, value])),
    ])
  }

  describe('import', () => {
    const choose = async (user: ReturnType<typeof open>['user'], text: string | Uint8Array<ArrayBuffer>) => {
      await screen.findByText('Drop a CSV file here')
      const input = document.querySelector<HTMLInputElement>('input[type="file"]')
      if (!input) throw new Error('There is no file input.')
      await user.upload(input, new File([text], 'people.csv', { type: 'text/csv' }))
    }
    const check = async (user: ReturnType<typeof open>['user'], count: number) => {
      await user.click(await button('Next: columns'))
      await user.click(await button(`Check ${count} ${count === 1 ? 'row' : 'rows'}`))
      await screen.findByRole('heading', { name: 'What the import will do' })
    }
    const listShown = () =>
      within(screen.getByRole('table', { name: 'Rows of the file' }))
        .getAllByRole('row')
        .slice(1)
        .map((row) =>
          within(row)
            .getAllByRole('cell')
            .map(({ textContent }) => textContent),
        )
    const writes = () =>
      edge.requests.filter(({ method, path }) => method !== 'GET' && !/\/(search|lookup)$/.test(path))

    test('the check says what would happen and writes nothing; the import creates, leaves what exists, and reports', async () => {
      const ana = await create('/users', { name: 'Ana', email: 'ana@example.org' })
      await create('/users', { name: 'Bob', ref: 'R-1' })
      const { user } = open('/users')
      await user.click(await screen.findByRole('link', { name: 'Import' }))
      await choose(
        user,
        [
          'Full name;E-mail;Ref;person.birthday',
          'Ana Two;ANA@example.org;;2000-01-01',
          "Cid;cid@example.org;'=7;1984-02-29",
          'Bad;no-mail;;',
          'Both;ana@example.org;R-1;',
          'Dup;;=7;',
        ].join('\n'),
      )
      expect(await screen.findByText('5 rows, 4 columns')).toBeVisible()
      expect(screen.getByRole('combobox', { name: 'Separator' })).toHaveValue(';')
      const said = listenAloud()
      await check(user, 5)
      await waitFor(() => expect(said).toContain('New: 1, Exists: 1, Error: 3'))
      expect(said.join('\n')).toMatch(
        /^(Looking up existing users|Reading all users to find existing ones)$/m,
      )
      expect(writes()).toEqual([])
      expect(listShown().map(([row, what, , , , note]) => [row, what, note])).toEqual([
        ['2', 'Exists', 'Same e-mail as Ana'],
        ['3', 'New', ''],
        ['4', 'Error', 'E-mail: “no-mail” isn’t an e-mail address.'],
        ['5', 'Error', 'E-mail: Row 2 has the same e-mail.'],
        ['6', 'Error', 'Ref: Row 3 has the same ref.'],
      ])
      await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'create')
      expect(listShown().map(([row]) => row)).toEqual(['3'])

      await user.click(await button('Import 1 user'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      const all = await users()
      expect(all.map(({ name, ref }) => [name, ref])).toEqual([
        ['Ana', undefined],
        ['Bob', 'R-1'],
        ['Cid', '=7'],
      ])
      expect(await propertiesOf(all[2]?.id ?? '')).toEqual([['person', { birthday: '1984-02-29' }]])
      expect(await propertiesOf(ana)).toEqual([])
      expect(writes().map(({ method, body }) => [method, body])).toEqual([
        ['POST', { name: 'Cid', email: 'cid@example.org', ref: '=7' }],
        ['POST', { type: 'person', properties: [{ key: 'birthday', type: 'DATE', value: '1984-02-29' }] }],
      ])

      await user.click(await button('Download 3 rows that weren’t imported'))
      const report = rowsOf(await readDownload())
      expect(report[0]).toEqual(['Full name', 'E-mail', 'Ref', 'person.birthday', 'error'])
      expect(report.map((cells) => cells[0])).toEqual(['Full name', 'Bad', 'Both', 'Dup'])
      expect(report.map((cells) => cells[4]).slice(1)).not.toContain('')
    })

    test('users who exist are changed only when that was asked for, properties beside those that are there', async () => {
      const id = await create('/users', { name: 'Ana', email: 'ana@example.org' })
      await create(`/users/${id}/entities`, {
        type: 'person',
        properties: [
          { key: 'birthday', type: 'DATE', value: '1990-01-01' },
          { key: 'hobby', type: 'TEXT', value: 'chess' },
        ],
      })
      const { user } = open('/users/import')
      await choose(user, 'name,email,person.birthday\nAnna,ana@example.org,2000-01-01\n')
      await check(user, 1)
      expect(await button('Nothing to import')).toBeDisabled()
      await user.click(await box(/Update existing users/))
      await user.click(await button('Update 1 user'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      expect((await users()).map(({ name }) => name)).toEqual(['Anna'])
      expect(await propertiesOf(id)).toEqual([['person', { birthday: '2000-01-01', hobby: 'chess' }]])
    })

    test('an export of users who are still the same changes nothing, and says so', async () => {
      const ids: string[] = []
      const properties = [
        { key: 'note', type: 'TEXT', value: 'two\r\nlines' },
        { key: 'cost', type: 'CURRENCY', value: { currency: 'EUR', value: '-12.50' } },
        { key: 'news', type: 'PREFERENCE', value: { status: 'GRANTED' } },
      ]
      for (let index = 1; index <= 24; index += 1)
        ids.push(await create('/users', { name: `Ana ${index}`, ref: `R-${index}`, properties }))
      const file = await exportFile(properties.map(({ key }) => key))
      const events = async () => ((await service.call('admin', 'GET', '/events')).body as Event[]).length
      const before = await events()

      const { user } = open('/users/import')
      await choose(user, file)
      await check(user, 24)
      await user.click(await box(/Update existing users/))
      await user.click(await button('Update 24 users'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      expect(screen.getByText('Unchanged', { selector: 'dt' }).nextElementSibling).toHaveTextContent('24')
      expect(screen.queryByText('Updated', { selector: 'dt' })).toBeNull()
      expect(await events()).toBe(before)
      expect(writes()).toEqual([])
    })

    test('an export in which an e-mail was changed changes it, and makes no second user', async () => {
      const id = await create('/users', { name: 'Ana', email: 'ana@example.org' })
      for (const isSkipped of [false, true]) {
        const email = isSkipped ? 'anna.b@example.org' : 'anna@example.org'
        const { user, unmount } = open('/users/import')
        await choose(user, `id,name,email,ref\n${id},Ana,${email},\n`)
        await user.click(await button('Next: columns'))
        expect(await screen.findByRole('combobox', { name: 'id becomes' })).toHaveValue('id')
        let isCounted = false
        edge.meet(({ method, url }) => {
          if (!isSkipped || method !== 'GET' || !/\/users(\?|$)/.test(url)) return undefined
          if (isCounted) return new Promise(() => {})
          isCounted = true
          return undefined
        })
        await user.click(await button('Check 1 row'))
        if (isSkipped) await user.click(await button('Skip this step'))
        else expect(await screen.findByText('Same id as Ana')).toBeVisible()
        await user.click(await box(/Update existing users/))
        await user.click(await button(/^(Update|Import) 1 user/))
        await screen.findByRole('heading', { name: 'Import complete' })
        edge.meet(() => undefined)
        unmount()
        expect((await users()).map((each) => [each.id, each.email])).toEqual([[id, email]])
      }
    })

    test('a sensitive value that is still the same is sent, and counts as unchanged', async () => {
      const iban = { key: 'iban', type: 'TEXT', value: 'ES91', sensitive: true }
      for (const ref of ['R-1', 'R-2']) await create('/users', { ref, properties: [iban] })
      const { user } = open('/users/import')
      await choose(user, 'ref,person.iban\nR-1,ES91\nR-2,ES92\n')
      await check(user, 2)
      await user.click(await box(/Update existing users/))
      await user.click(await button('Update 2 users'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      expect(listShown().map(([, what]) => what)).toEqual(['Unchanged', 'Updated'])
    })

    test('a consent that is older than the stored one is named by the check, and the later one stays', async () => {
      const news = (status: string, day: string) => ({
        key: 'news',
        type: 'PREFERENCE',
        value: { status, statusDate: `${day}T00:00:00.000Z` },
      })
      const ana = await create('/users', {
        name: 'Ana',
        ref: 'R-1',
        properties: [news('REVOKED', '2026-06-01')],
      })
      const bob = await create('/users', {
        name: 'Bob',
        ref: 'R-2',
        properties: [news('DENIED', '2023-06-01')],
      })
      const eva = await create('/users', {
        name: 'Eva',
        ref: 'R-3',
        properties: [news('REVOKED', '2026-06-01')],
      })
      const file =
        'ref,person.news,person.city\n' +
        'R-1,GRANTED 2024-06-01T00:00:00.000Z,\n' +
        'R-2,GRANTED 2024-06-01T00:00:00.000Z,\n' +
        'R-3,GRANTED 2024-06-01T00:00:00.000Z,Lyon\n'
      const { user } = open('/users/import')
      await choose(user, file)
      await check(user, 3)
      expect(listShown().map(([, what]) => what)).toEqual(['Exists', 'Exists', 'Exists'])
      await user.click(await box(/Update existing users/))
      const stays = 'Exists, later consent stays'
      expect(listShown().map(([, what]) => what)).toEqual([stays, 'Exists', stays])
      expect(listShown()[0]?.at(-1)).toBe(
        'Same ref as Ana. News stays Revoked (Jun 1, 2026, 00:00 UTC): the file’s Granted (Jun 1, 2024, 00:00 UTC) is earlier',
      )
      // Withdrawn after the check.
      const path = `/users/${bob}/entities`
      const { body } = await service.call('admin', 'GET', path)
      await service.call('admin', 'PATCH', `${path}/${(body as Entity[])[0]?.id}`, {
        properties: [news('REVOKED', '2026-06-01')],
      })
      await user.click(await button('Update 3 users'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      expect(listShown().map((cells) => [cells[1], cells.at(-1)])).toEqual([
        ['Unchanged', 'A later consent stays: News.'],
        ['Unchanged', 'A later consent stays: News.'],
        ['Updated', 'A later consent stays: News.'],
      ])
      const { value } = news('REVOKED', '2026-06-01')
      for (const id of [ana, bob]) expect(await propertiesOf(id)).toEqual([['person', { news: value }]])
      expect(await propertiesOf(eva)).toEqual([['person', { news: value, city: 'Lyon' }]])
    })

    test('an export is imported again as it was', async () => {
      await create('/users', {
        name: '=1+1',
        email: '+a@example.org',
        ref: "'-5",
        since: '2020-02-29T01:02:03.004',
        properties: [
          { key: 'note', type: 'TEXT', value: 'two\r\nlines; "quoted"' },
          { key: 'cost', type: 'CURRENCY', value: { currency: 'EUR', value: '-12.50' } },
        ],
      })
      const [before] = await users()
      const file = await exportFile(['note', 'cost'])
      const properties = await propertiesOf(before?.id ?? '')
      await service.reset()

      const { user } = open('/users/import')
      await choose(user, file)
      await check(user, 1)
      await user.click(await button('Import 1 user'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      const [after] = await users()
      const { name, email, ref, since } = before ?? {}
      expect(after).toMatchObject({ name, email, ref, since })
      expect(await propertiesOf(after?.id ?? '')).toEqual(properties)
    })

    test.each(['users', 'entities'])(
      'a lost answer makes no second of the %s, and what follows it is done',
      async (made) => {
        const { user } = open('/users/import')
        await choose(user, 'name,email,person.hobby\nAna,ana@example.org,chess\n')
        await check(user, 1)
        let lost = 0
        edge.meet(async (request) => {
          if (request.method !== 'POST' || !request.url.endsWith(`/${made}`) || (lost += 1) > 1)
            return undefined
          // The request succeeds, but its answer is lost.
          await service.fetch(request)
          throw new TypeError('Failed to fetch')
        })
        await user.click(await button('Import 1 user'))
        expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
        const all = await users()
        expect(all.map(({ name }) => name)).toEqual(['Ana'])
        expect(await propertiesOf(all[0]?.id ?? '')).toEqual([['person', { hobby: 'chess' }]])
        expect(listShown().map(([, what]) => what)).toEqual(['Created'])
      },
    )

    test('without e-mail and ref a lost answer is repeated and makes no second user', async () => {
      const { user } = open('/users/import')
      await choose(user, 'name\nAna\nBob\n')
      await user.click(await button('Next: columns'))
      expect(await screen.findByText(/every row creates a new user/)).toBeVisible()
      await user.click(await button('Check 2 rows'))
      let lost = 0
      edge.meet(async (request) => {
        if (request.method !== 'POST' || !(await request.clone().text()).includes('Ana') || (lost += 1) > 1)
          return undefined
        await service.fetch(request)
        throw new TypeError('Failed to fetch')
      })
      await user.click(await button('Import 2 users'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      expect(new Set((await users()).map(({ name }) => name))).toEqual(new Set(['Ana', 'Bob']))
      expect(await users()).toHaveLength(2)
      expect(listShown().map(([, what]) => what)).toEqual(['Created', 'Created'])
    })

    test('a row whose answer was lost and whose repetition failed makes no second user when it is retried', async () => {
      const { user } = open('/users/import')
      await choose(user, 'name\nAna\n')
      await user.click(await button('Next: columns'))
      await user.click(await button('Check 1 row'))
      let sent = 0
      edge.meet(async (request) => {
        if (request.method !== 'POST') return undefined
        sent += 1
        if (sent === 2) return Response.json({}, { status: 500 })
        const answer = await service.fetch(request)
        if (sent === 1) throw new TypeError('Failed to fetch')
        return answer
      })
      await user.click(await button('Import 1 user'))
      await user.click(await button('Retry 1 failed row'))
      await waitFor(() => expect(listShown().map(([, what]) => what)).toEqual(['Created']))
      expect(await users()).toHaveLength(1)
    })

    test.each([
      [false, 'Already existed, unchanged', 'Ana'],
      [true, 'Updated', 'Anna'],
    ])('the look-up can be skipped; update existing users: %s', async (changes, outcome, name) => {
      await create('/users', { name: 'Ana', email: 'ana@example.org' })
      const { user } = open('/users/import')
      await choose(user, 'name,email\nAnna,ana@example.org\n')
      await user.click(await button('Next: columns'))
      let isCounted = false
      edge.meet(({ method, url }) => {
        if (method !== 'GET' || !/\/users(\?|$)/.test(url)) return undefined
        if (isCounted) return new Promise(() => {})
        isCounted = true
        return undefined
      })
      await user.click(await button('Check 1 row'))
      await user.click(await button('Skip this step'))
      expect(await screen.findByRole('cell', { name: 'Not looked up' })).toBeVisible()
      if (changes) await user.click(await box(/Update existing users/))
      await user.click(await button('Import 1 user'))
      await waitFor(() => expect(listShown().map(([, what]) => what)).toEqual([outcome]))
      expect((await users()).map((each) => each.name)).toEqual([name])
    })

    test('a user who exists after a lost answer is reported and gets no properties', async () => {
      const id = await create('/users', { name: 'Ana', email: 'ana@example.org' })
      const { user } = open('/users/import')
      await choose(user, 'email,person.hobby\nana@example.org,chess\n')
      await user.click(await button('Next: columns'))
      let [isCounted, isLost] = [false, false]
      edge.meet(({ method, url }) => {
        if (method === 'POST' && url.endsWith('/users') && !isLost) {
          isLost = true
          throw new TypeError('Failed to fetch')
        }
        if (method !== 'GET' || !/\/users(\?|$)/.test(url)) return undefined
        if (isCounted) return new Promise(() => {})
        isCounted = true
        return undefined
      })
      await user.click(await button('Check 1 row'))
      await user.click(await button('Skip this step'))
      await user.click(await button('Import 1 user'))
      expect(await screen.findByText(/someone else could have created them/)).toBeVisible()
      expect(listShown().map(([, what]) => what)).toEqual(['Failed'])
      expect(await propertiesOf(id)).toEqual([])
    })

    test('a row that the service refuses is reported; put right there, it is sent again alone', async () => {
      const { user } = open('/users/import')
      await choose(user, 'name,email\nAna,ana@example.org\nBob,bob@example.org\n')
      await check(user, 2)
      edge.meet(async (request) =>
        request.method === 'POST' && (await request.clone().text()).includes('Bob')
          ? Response.json({ detail: 'Not on a Friday.' }, { status: 422 })
          : undefined,
      )
      await user.click(await button('Import 2 users'))
      expect(await screen.findByText('Not on a Friday.')).toBeVisible()
      await user.click(await button('Download the row that wasn’t imported'))
      expect(rowsOf(await readDownload())).toEqual([
        ['name', 'email', 'error'],
        ['Bob', 'bob@example.org', 'Not on a Friday.'],
      ])
      edge.meet(() => undefined)
      await user.click(await button('Retry 1 failed row'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      await waitFor(async () => expect((await users()).map(({ name }) => name)).toEqual(['Ana', 'Bob']))
      expect(listShown().map(([, what]) => what)).toEqual(['Created', 'Created'])
    })

    test('paused, it can be stopped: what was not sent is in the report', async () => {
      const { user } = open('/users/import')
      const names = Array.from({ length: 20 }, (_, index) => `Person ${index},p${index}@example.org`)
      await choose(user, `name,email\n${names.join('\n')}\n`)
      await check(user, 20)
      const gate = Promise.withResolvers<undefined>()
      edge.meet((request) => (request.method === 'POST' ? gate.promise : undefined))
      await user.click(await button('Import 20 users'))
      await user.click(await button('Pause'))
      gate.resolve(undefined)
      expect(await screen.findByText('Paused')).toBeVisible()
      const sent = (await users()).length
      expect(sent).toBeLessThan(20)
      await user.click(await button('Stop import'))
      expect(await screen.findByRole('heading', { name: 'Import stopped' })).toBeVisible()
      await user.click(await button(new RegExp(`Download ${20 - sent} rows`)))
      expect(rowsOf(await readDownload())).toHaveLength(21 - sent)
      await user.click(await button('Import the rest'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      expect(await users()).toHaveLength(20)
    })

    test('a pause that the service asks for need not be sat through', async () => {
      const { user } = open('/users/import')
      await choose(user, 'name,email\nAna,ana@example.org\n')
      await check(user, 1)
      edge.meet((request) =>
        request.method === 'POST'
          ? Response.json({}, { status: 429, headers: { 'Retry-After': '200' } })
          : undefined,
      )
      await user.click(await button('Import 1 user'))
      expect(await screen.findByText(/Continuing in 200 seconds/)).toBeVisible()
      await user.click(await button('Pause'))
      expect(await screen.findByText('Paused')).toBeVisible()
      edge.meet(() => undefined)
      await user.click(await button('Continue'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      expect(await users()).toHaveLength(1)
    })

    test('a pause that the service asks of one row is kept by all', async () => {
      const { user } = open('/users/import')
      const names = Array.from({ length: 20 }, (_, index) => `Person ${index},p${index}@example.org`)
      await choose(user, `name,email\n${names.join('\n')}\n`)
      await check(user, 20)
      const gate = Promise.withResolvers<void>()
      edge.meet(async (request) => {
        if (request.method !== 'POST') return undefined
        const body = await request.clone().text()
        const ask = (seconds: string) =>
          Response.json({}, { status: 429, headers: { 'Retry-After': seconds } })
        if (body.includes('p0@')) return ask('200')
        await gate.promise
        return body.includes('p1@') ? ask('100') : undefined
      })
      await user.click(await button('Import 20 users'))
      expect(await screen.findByText(/Continuing in 200 seconds/)).toBeVisible()
      gate.resolve()
      // Three rows were in flight besides the one that has to wait. One of them is told to pause for less time.
      const done = () => screen.getByRole<HTMLProgressElement>('progressbar').value
      await waitFor(() => expect(done()).toBeGreaterThanOrEqual(2))
      // The other two have ended, and all further ones still keep the longer pause.
      expect(screen.getByText(/Continuing in 200 seconds/)).toBeVisible()
      await user.click(await button('Pause'))
      expect(await screen.findByText('Paused')).toBeVisible()
      expect(writes()).toHaveLength(4)
      expect(await users()).toHaveLength(2)
    })

    test('a file that is not a table is refused with advice on what to do', async () => {
      const { user } = open('/users/import')
      const other = async () => user.click(await button('Choose another file'))
      await choose(user, new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))
      expect(await screen.findByText('This is a workbook, not a CSV file')).toBeVisible()
      await other()
      await choose(user, 'name,email\nAna,"ana@example.org\nBob,bob@example.org\n')
      expect(await screen.findByText('Unmatched quotes in row 2')).toBeVisible()
      await other()
      await choose(user, 'name,email\n')
      expect(await screen.findByText('No rows below the header')).toBeVisible()
      await other()
      await choose(user, new Uint8Array([...new TextEncoder().encode('name\nJos'), 0xe9, 0x0a]))
      expect(await screen.findByRole('cell', { name: 'José' })).toBeVisible()
      expect(screen.getByRole('combobox', { name: 'Encoding' })).toHaveValue('windows-1252')
      expect(screen.getByText(/^This file isn’t UTF-8/)).toBeVisible()
      await user.selectOptions(screen.getByRole('combobox', { name: 'Encoding' }), 'UTF-8')
      expect(await screen.findByText('The file isn’t in this encoding')).toBeVisible()
      await user.click(await button('Read as Windows-1252'))
      expect(await screen.findByRole('cell', { name: 'José' })).toBeVisible()
    })

    test('rows can be pasted, and columns without a header are named by their place', async () => {
      const { user } = open('/users/import')
      await user.click(await screen.findByRole('textbox', { name: /Or paste rows/ }))
      await user.paste('Ana\tana@example.org\nBob\tbob@example.org')
      await user.click(await button('Use pasted rows'))
      expect(await screen.findByText('2 rows, 2 columns')).toBeVisible()
      expect(screen.getByRole('combobox', { name: 'Column names' })).toHaveDisplayValue('None')
      await user.click(await button('Next: columns'))
      await user.click(await button('Check 2 rows'))
      expect(await screen.findByText('Import at least one column: choose what it becomes.')).toBeVisible()
      await user.selectOptions(await screen.findByRole('combobox', { name: 'Column 1 becomes' }), 'name')
      await user.selectOptions(await screen.findByRole('combobox', { name: 'Column 2 becomes' }), 'email')
      await user.click(await button('Check 2 rows'))
      expect((await screen.findAllByText('New')).length).toBeGreaterThan(1)
    })

    test('the row with the column names is found below a title, and another can be chosen', async () => {
      const { user } = open('/users/import')
      await choose(user, 'Customers,,\nas of 2026-01-01,,\n,,\nName,E-mail,Ref\nAna,a@example.org,,\n')
      expect(await screen.findByText('1 row, 3 columns')).toBeVisible()
      const names = screen.getByRole('combobox', { name: 'Column names' })
      expect(names).toHaveDisplayValue('Row 4: Name, E-mail, Ref')
      await user.selectOptions(names, 'Row 1: Customers')
      expect(await screen.findByText('3 rows, 3 columns')).toBeVisible()
      await user.selectOptions(screen.getByRole('combobox', { name: 'Column names' }), 'None')
      expect(await screen.findByText('4 rows, 3 columns')).toBeVisible()
    })

    test('column names that are there twice are said', async () => {
      const { user } = open('/users/import')
      await choose(user, 'Name,Mail,Mail\nAna,a@example.org,b@example.org\n')
      expect(await screen.findByText(/^Several columns have the same name: Mail\./)).toBeVisible()
      expect(screen.getByRole('columnheader', { name: 'Mail (2)' })).toBeVisible()
    })

    test('a column whose numbers can be read in two ways asks once how they are written', async () => {
      const { user } = open('/users/import')
      await user.click(await screen.findByRole('textbox', { name: /Or paste rows/ }))
      await user.paste('Ref\tLoad\nR-1\t7.500\nR-2\t900')
      await user.click(await button('Use pasted rows'))
      await user.click(await button('Next: columns'))
      await user.selectOptions(await screen.findByRole('combobox', { name: 'Load becomes' }), 'property')
      expect(screen.queryByRole('combobox', { name: 'Numbers in Load' })).not.toBeInTheDocument()
      await user.selectOptions(screen.getByRole('combobox', { name: 'Type of Load' }), 'NUMBER')
      const numbers = screen.getByRole('combobox', { name: 'Numbers in Load' })
      expect(numbers).toHaveAccessibleDescription(/read in two ways/)
      await user.selectOptions(numbers, '7.500 is 7500')
      expect(numbers).toBeValid()
      await user.click(await button('Check 2 rows'))
      await user.click(await button('Import 2 users'))
      expect(await screen.findByRole('heading', { name: 'Import complete' })).toBeVisible()
      const stored = (await users()).map(({ id }) => propertiesOf(id))
      // Rows are sent in parallel, so either user may have been created first.
      const both = [[['person', { Load: 7500 }]], [['person', { Load: 900 }]]]
      expect(await Promise.all(stored)).toEqual(expect.arrayContaining(both))
    })

    test('a person who may not write users is told so, in the list and on the page', async () => {
      open('/users/import', { role: 'integrator' })
      expect(await screen.findByText(/Your role can’t see users/)).toBeVisible()
    })
  })
})
