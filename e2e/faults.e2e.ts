import type { Locator, Page, Request, Route } from '@playwright/test'

import type { Entity, Segment } from '#contract/index.ts'
import { enter, expect, isBare, refuseRenewal, type Service, test } from './fixtures.ts'

// Whatever a network and a service do to a write: what was typed stays, the page says what is known, and the next try
// works. Every form that writes goes through all of it.

// Lower than its forms are long: a failure above them is to be seen from the button below.
test.use({ viewport: { width: 1280, height: 420 } })

interface Tools {
  readonly page: Page
  readonly service: Service
  readonly hasAdditions: boolean
  readonly word: string
}

/** A form, open and filled in. */
interface Opened {
  readonly isWrite: (request: Request) => boolean
  readonly submit: () => Promise<void>
  readonly typed: readonly (readonly [Locator, string])[]
  /** After the write was done and its answer lost; the first press has happened. */
  readonly end: () => Promise<void>
  /** How often it is done, in the service. */
  readonly count: () => Promise<number>
}

const failed = /not saved|nothing was saved|not created|not deleted|not known whether/i

interface Fault {
  readonly name: string
  readonly meet: (route: Route) => Promise<void> | void
  readonly says?: RegExp
}

const json = (status: number, body: string, headers: Record<string, string> = {}) => ({
  status,
  contentType: 'application/json',
  body,
  headers,
})

const faults: readonly Fault[] = [
  { name: '500', meet: (route) => route.fulfill(json(500, '{"code":"internal","title":"It broke."}')) },
  {
    name: '502 with a page of the gateway',
    meet: (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  },
  {
    name: '503 with Retry-After',
    meet: (route) => route.fulfill(json(503, '{"code":"unavailable"}', { 'retry-after': '7' })),
    says: /in 7 seconds/,
  },
  {
    name: '429',
    meet: (route) => route.fulfill(json(429, '{"code":"too_many"}', { 'retry-after': '9' })),
    says: /in 9 seconds/,
  },
  // Its answer is awaited for as long as the page has patience, which then is over.
  { name: 'time-out', meet: () => undefined },
  { name: 'reset', meet: (route) => route.abort('connectionreset') },
  { name: 'broken JSON', meet: (route) => route.fulfill(json(400, '{"code":"bro')) },
  {
    name: 'HTML in place of an answer',
    meet: (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in to the network</h1>' }),
  },
]

/** The one button of the open dialog with this name. */
const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name, exact: typeof name === 'string' })

const forms: Record<string, (tools: Tools) => Promise<Opened>> = {
  async 'an entity, edited'({ page, service, word }) {
    const user = await service.post('/users', { name: word })
    const id = await service.post(`/users/${user}/entities`, {
      type: 'person',
      properties: [
        { key: 'city', type: 'TEXT', value: 'Lyon' },
        { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76' },
        { key: 'vip', type: 'BOOLEAN', value: true },
      ],
    })
    await page.goto(`users/${user}/entities/${id}`)
    const city = page.getByRole('textbox', { name: 'Value of city' })
    await city.fill('Brest')
    await page.getByRole('button', { name: 'Replace the value of iban' }).click()
    const iban = page.getByRole('textbox', { name: 'Value of iban' })
    await iban.fill('ES91')
    await page.getByRole('button', { name: 'Remove vip' }).click()
    return {
      isWrite: (request) => request.method() === 'PUT',
      submit: async () => {
        await page.getByRole('button', { name: 'Review…' }).click()
        await inDialog(page, 'Save 3 changes').click()
      },
      typed: [
        [city, 'Brest'],
        [iban, 'ES91'],
      ],
      end: () => expect(page.getByText('3 changes saved')).toBeVisible(),
      count: async () => {
        const { properties } = await service.get<Entity>(`/users/${user}/entities/${id}`)
        return properties.map(({ value }) => value).join() === 'Brest,ES91' ? 1 : 0
      },
    }
  },

  async 'a new entity'({ page, service, word }) {
    const user = await service.post('/users', { name: word })
    await page.goto(`users/${user}/entities/new`)
    const type = page.getByLabel('Type of the entity')
    await type.fill('car')
    await page.keyboard.press('Escape')
    const key = page.getByLabel('Key of', { exact: false }).first()
    await key.fill('brand')
    await page.keyboard.press('Escape')
    const brand = page.getByRole('textbox', { name: 'Value of brand' })
    await brand.fill(word)
    return {
      isWrite: (request) => request.method() === 'POST' && request.url().endsWith('/entities'),
      submit: () => page.getByRole('button', { name: 'Create entity' }).click(),
      typed: [
        [type, 'car'],
        [brand, word],
      ],
      end: () => expect(page.getByText('Created car')).toBeVisible(),
      count: async () => (await service.get<Entity[]>(`/users/${user}/entities`)).length,
    }
  },

  async "a user's own fields"({ page, service, word }) {
    const user = await service.post('/users', { name: 'Before', ref: word })
    await page.goto(`users/${user}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const name = page.getByLabel('Name')
    await name.fill(word)
    const submit = () => page.getByRole('button', { name: /^Save/ }).click()
    return {
      isWrite: (request) => request.method() === 'PATCH',
      submit,
      typed: [[name, word]],
      end: async () => {
        await expect(page.getByRole('alert')).toContainText('It is not known whether this was saved')
        await expect(name).toHaveValue(word)
        await submit()
        await expect(page.getByRole('heading', { level: 1, name: word })).toBeVisible()
      },
      count: async () => ((await service.get<{ name: string }>(`/users/${user}`)).name === word ? 1 : 0),
    }
  },

  async 'a new user'({ page, service, hasAdditions, word }) {
    await page.goto('users/new')
    const name = page.getByLabel('Name')
    const email = page.getByLabel('E-mail')
    await name.fill(`New ${word}`)
    await email.fill(`${word}@example.org`)
    const submit = () => page.getByRole('button', { name: 'Create user' }).click()
    return {
      isWrite: (request) => request.method() === 'POST' && request.url().endsWith('/users'),
      submit,
      typed: [
        [name, `New ${word}`],
        [email, `${word}@example.org`],
      ],
      end: async () => {
        await expect(page.getByRole('alert')).toContainText('It is not known whether the user was created')
        await submit()
        if (hasAdditions)
          await expect(page.getByRole('heading', { level: 1, name: `New ${word}` })).toBeVisible()
        else await expect(page.getByText('This user already exists')).toBeVisible()
      },
      count: () => usersNamed(service, `New ${word}`),
    }
  },

  async 'a new segment'({ page, service, hasAdditions, word }) {
    await page.goto('segments/new')
    const name = page.getByLabel('Name')
    await name.fill(word)
    await page.getByText('JSON', { exact: true }).click()
    const filter = page.getByLabel('Filter as JSON')
    await filter.fill('{"all":[{"user":"name","op":"eq","value":"x"}]}')
    const submit = () => page.getByRole('button', { name: 'Create segment' }).click()
    return {
      isWrite: (request) => request.method() === 'POST' && request.url().endsWith('/segments'),
      submit,
      typed: [
        [name, word],
        [filter, '{"all":[{"user":"name","op":"eq","value":"x"}]}'],
      ],
      end: async () => {
        await expect(
          page.getByRole('alert').filter({ hasText: 'It is not known whether the segment was created' }),
        ).toBeVisible()
        await expect(name).toHaveValue(word)
        if (hasAdditions) {
          await submit()
          await expect(page.getByRole('heading', { level: 1, name: word })).toBeVisible()
        } else await expect(page.getByText('Look at the list of segments before')).toBeVisible()
      },
      count: async () => {
        const all = await service.get<Segment[]>('/segments')
        return all.filter((segment) => segment.name === word).length
      },
    }
  },

  async 'deleting an entity'({ page, service, word }) {
    const user = await service.post('/users', { name: word })
    const id = await service.post(`/users/${user}/entities`, { type: 'car', properties: [] })
    await page.goto(`users/${user}/entities/${id}`)
    await page.getByRole('button', { name: 'Delete entity' }).click()
    return deletion({
      page,
      isFoundOut: true,
      submit: () => inDialog(page, 'Delete entity car').click(),
      done: () => expect(page.getByText('Deleted entity car')).toBeVisible(),
      left: async () => (await service.get<Entity[]>(`/users/${user}/entities`)).length,
    })
  },

  async 'deleting a user'({ page, service, word }) {
    const user = await service.post('/users', { name: word, ref: word })
    await page.goto(`users/${user}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete user…' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: /^Type/ }).fill('delete')
    return deletion({
      page,
      typed: 'delete',
      submit: () => inDialog(page, 'Delete user').click(),
      done: () => expect(page.getByText(`${word} was deleted`)).toBeVisible(),
      left: () => usersNamed(service, word),
    })
  },

  async 'deleting a segment'({ page, service, word }) {
    const id = await service.post('/segments', { name: word, filter: { all: [] } })
    await page.goto(`segments/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(word)
    return deletion({
      page,
      typed: word,
      submit: () => inDialog(page, 'Delete segment').click(),
      done: () => expect(page.getByText(`${word} is deleted.`)).toBeVisible(),
      left: async () =>
        (await service.get<Segment[]>('/segments')).filter(({ name }) => name === word).length,
    })
  },
}

async function usersNamed(service: Service, name: string): Promise<number> {
  let count = 0
  for (let offset: string | undefined = ''; offset !== undefined;) {
    const page: { users: { name: string }[]; next: string } = await service.get(
      `/users?offset=${encodeURIComponent(offset)}`,
    )
    count += page.users.filter((user) => user.name === name).length
    offset = page.next === '' ? undefined : page.next
  }
  return count
}

function deletion({
  page,
  isFoundOut = false,
  typed,
  submit,
  done,
  left,
}: {
  page: Page
  /** The page itself looks whether it is gone. */
  isFoundOut?: boolean
  typed?: string
  submit: () => Promise<void>
  done: () => Promise<void>
  left: () => Promise<number>
}): Opened {
  return {
    isWrite: (request) => request.method() === 'DELETE',
    submit,
    typed:
      typed === undefined ? [] : [[page.getByRole('dialog').getByRole('textbox', { name: /^Type/ }), typed]],
    end: async () => {
      if (!isFoundOut) {
        await expect(page.getByRole('alert')).toContainText('not known whether')
        await submit()
      }
      await done()
    },
    count: async () => 1 - (await left()),
  }
}

for (const [name, open] of Object.entries(forms))
  test(`${name}: every fault keeps what was typed, and it is done once`, async ({
    page,
    context,
    signIn,
    service,
  }) => {
    test.setTimeout(600_000)
    const hasAdditions = !isBare()
    await page.addInitScript(() => {
      const waiting: AbortController[] = []
      AbortSignal.timeout = () => {
        const controller = new AbortController()
        waiting.push(controller)
        return controller.signal
      }
      const endPatience = () => {
        for (const controller of waiting.splice(0))
          controller.abort(new DOMException('The time is over.', 'TimeoutError'))
      }
      Object.assign(globalThis, { endPatience })
    })
    await signIn('admin', 'segments')
    const word = `w${crypto.randomUUID().slice(0, 8)}`
    const form = await open({ page, service, hasAdditions, word })
    const { isWrite, submit, typed } = form

    let met = 0
    let meet: Fault['meet'] | undefined
    await page.route('**/api/**', async (route) => {
      if (!meet || !isWrite(route.request())) return await route.fallback()
      met += 1
      await meet(route)
    })
    const expectKept = async (says: RegExp) => {
      const alert = page.getByRole('alert').filter({ hasText: failed })
      await expect(alert).toBeInViewport()
      await expect(alert).toContainText(says)
      for (const [field, value] of typed) await expect(field).toHaveValue(value)
      expect(await form.count()).toBe(0)
    }

    for (const fault of faults)
      await test.step(fault.name, async () => {
        meet = fault.meet
        met = 0
        await submit()
        await expect.poll(() => met).toBeGreaterThan(0)
        if (fault.name === 'time-out')
          await page.evaluate(() => (globalThis as unknown as { endPatience: () => void }).endPatience())
        await expectKept(fault.says ?? failed)
        meet = undefined
      })

    await test.step('offline', async () => {
      await context.setOffline(true)
      await submit()
      await expectKept(failed)
      await context.setOffline(false)
    })

    await test.step('the session ends in the middle', async () => {
      await refuseRenewal(page)
      met = 0
      meet = (route) =>
        met === 1
          ? route.fulfill(json(401, '{"code":"invalid_token"}', { 'www-authenticate': 'Bearer' }))
          : // What is sent again by itself, once somebody has signed in, is the same write.
            route.fulfill(json(503, '{"code":"unavailable"}', { 'retry-after': '5' }))
      await submit()
      const locked = page.getByRole('dialog', { name: 'Sign in again to carry on' })
      await expect(locked).toBeVisible()
      const opening = page.waitForEvent('popup')
      await locked.getByRole('button', { name: 'Sign in again' }).click()
      const popup = await opening
      await enter(popup, 'admin')
      await expect(locked).toBeHidden()
      // By itself: its opener has no hold on it, since the page shares its window with nobody.
      await expect.poll(() => popup.isClosed(), { timeout: 30_000 }).toBe(true)
      await expectKept(/in 5 seconds/)
      expect(met).toBe(2)
      await page.unroute('**/oidc/token')
    })

    await test.step('an answer that is lost after the write', async () => {
      met = 0
      meet = async (route) => {
        if (met > 1) return await route.fallback()
        await route.fetch({ maxRedirects: 0 })
        await route.abort('connectionreset')
      }
      await submit()
      await form.end()
      expect(await form.count()).toBe(1)
    })
  })
