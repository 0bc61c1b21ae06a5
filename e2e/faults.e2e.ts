import type { Locator, Page, Request, Route } from '@playwright/test'

import type { Entity } from '#contract/index.ts'
import { enter, expect, refuseRenewal, type Service, test } from './fixtures.ts'

// Failures of a write in a real browser: the response times out, the network is down, the session ends midway, or the
// response is lost. Other failures, and those of every other form, are covered by src/app/form-faults.test.tsx and
// src/features/entities/saving/save.test.tsx.

// The viewport is lower than the forms, to check that an error message above the form is visible from the button below
// it.
test.use({ viewport: { width: 1280, height: 420 } })

type Meet = (route: Route) => Promise<void> | void

interface Tools {
  readonly page: Page
  readonly service: Service
  /** Opens a page, signed in. */
  readonly goto: (path: string) => Promise<void>
  readonly word: string
}

/** A form that is open and filled in. */
interface Opened {
  readonly isWrite: (request: Request) => boolean
  readonly submit: () => Promise<void>
  readonly typed: readonly (readonly [Locator, string])[]
  /**
   * Finishes the journey after a write that succeeded but lost its response; the button has been pressed once by then.
   */
  readonly end: () => Promise<void>
  /** Returns how often the write was carried out, according to the service. */
  readonly count: () => Promise<number>
}

const failed = /not saved|not created|may have been/i

/** Finds the button with this name in the open dialog. */
const dialogOf = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name, exact: typeof name === 'string' })

const forms: Record<string, (tools: Tools) => Promise<Opened>> = {
  async 'an entity, edited @smoke'({ page, service, goto, word }) {
    const user = await service.post('/users', { name: word })
    const id = await service.post(`/users/${user}/entities`, {
      type: 'person',
      properties: [
        { key: 'city', type: 'TEXT', value: 'Lyon' },
        { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76' },
        { key: 'vip', type: 'BOOLEAN', value: true },
      ],
    })
    await goto(`users/${user}/entities/${id}`)
    const city = page.getByRole('textbox', { name: 'Value of City' })
    await city.fill('Brest')
    await page.getByRole('button', { name: 'Replace IBAN' }).click()
    const iban = page.getByRole('textbox', { name: 'Value of IBAN' })
    await iban.fill('ES91')
    await page.getByRole('button', { name: 'Remove VIP' }).click()
    return {
      isWrite: (request) => request.method() === 'PUT',
      submit: async () => {
        await page.getByRole('button', { name: 'Review…' }).click()
        await dialogOf(page, 'Save 3 changes').click()
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

  async 'a new user'({ page, service, goto, word }) {
    await goto('users/new')
    const name = page.getByRole('textbox', { name: 'Name' })
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
        await expect(page.getByRole('alert')).toContainText('The user may have been created')
        await submit()
        await expect(page.getByRole('heading', { level: 1, name: `New ${word}` })).toBeVisible()
      },
      count: () => countUsers(service, `New ${word}`),
    }
  },
}

async function countUsers(service: Service, name: string): Promise<number> {
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

for (const [name, open] of Object.entries(forms))
  test(`${name}: whatever becomes of the write, what was typed stays, and it is done once`, async ({
    page,
    context,
    signIn,
    service,
  }) => {
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
    const word = `w${crypto.randomUUID().slice(0, 8)}`
    const form = await open({ page, service, goto: (path) => signIn('admin', path), word })
    const { isWrite, submit, typed } = form

    let met = 0
    let meet: Meet | undefined
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

    await test.step('time-out', async () => {
      // No answer is ever sent; the page waits until its own time limit, which the test then ends.
      meet = () => undefined
      await submit()
      await expect.poll(() => met).toBeGreaterThan(0)
      await page.evaluate(() => (globalThis as unknown as { endPatience: () => void }).endPatience())
      await expectKept(failed)
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
          ? route.fulfill({
              status: 401,
              headers: { 'www-authenticate': 'Bearer' },
              json: { code: 'invalid_token' },
            })
          : // After the new sign-in the console repeats the same write.
            route.fulfill({ status: 503, headers: { 'retry-after': '5' }, json: { code: 'unavailable' } })
      await submit()
      const locked = page.getByRole('dialog', { name: 'Sign in again to continue' })
      await expect(locked).toBeVisible()
      const opening = page.waitForEvent('popup')
      await locked.getByRole('button', { name: 'Sign in again' }).click()
      const popup = await opening
      await enter(popup, 'admin')
      await expect(locked).toBeHidden()
      // The popup closes itself: its opener cannot, because the page is isolated from other windows.
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
