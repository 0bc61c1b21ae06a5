import type { Page } from '@playwright/test'

import { expect, expectAccessible, refuseRenewal, test } from './fixtures.ts'
import { traceOf, wordsIn } from './traces.ts'

// Invented words, so that neither occurs anywhere by chance.
const canary = 'Quicksilvery'
const reason = 'Balderdashes'

const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: canary },
  ],
}

const html = (page: Page) => page.evaluate(() => document.documentElement.outerHTML)

/** Reveals the value, giving a reason. */
async function reveal(page: Page) {
  await page.getByRole('button', { name: 'Reveal IBAN' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reveal IBAN' })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type(reason)
  await page.keyboard.press('Enter')
  await expect(page.getByText(canary)).toBeVisible()
}

test('a colleague who may not see a value checks it against what a caller says', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Caller' })
  await service.post(`/users/${user}/entities`, person)
  const traces = await traceOf(context, page)
  // Wide enough for the column beside the entities.
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn('support', `users/${user}`)
  await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
  const check = page.getByRole('button', { name: 'Check IBAN' })
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('Created person')
  await check.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Check IBAN' })
  const answer = dialog.getByRole('textbox', { name: 'Value to check' })
  await expect(answer).toBeFocused()
  await page.keyboard.type('Another word')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Doesn’t match')).toBeVisible()
  await expectAccessible(page)
  await answer.fill(canary.toLowerCase())
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Match', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(check).toBeFocused()
  await expect(timeline).toContainText('Checked IBAN')
  expect(await html(page)).not.toMatch(new RegExp(canary, 'i'))
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByRole('button', { name: 'Checked IBAN' }).first()).toBeVisible()
  await traces.look()
  const said = [canary, canary.toLowerCase()]
  expect(traces.found.filter(({ text }) => wordsIn(text, said).length > 0)).toEqual([])
})

test('a sensitive value is nowhere before it is revealed, and gone from the page and the clipboard after a minute', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Masked' })
  const id = await service.post(`/users/${user}/entities`, person)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  const traces = await traceOf(context, page)
  const bodies: Promise<string>[] = []
  page.on('response', (response) => bodies.push(response.text().catch(() => '')))
  const answersWithValue = async () =>
    (await Promise.all(bodies)).filter((body) => body.includes(canary)).length

  await signIn('steward', `users/${user}/entities/${id}`)
  await expect(page.getByRole('textbox', { name: 'Value of City' })).toHaveValue('Lyon')
  expect(await html(page)).not.toContain(canary)
  expect(await answersWithValue()).toBe(0)

  await page.getByRole('button', { name: 'Reveal IBAN' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reveal IBAN' })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type(reason)
  await traces.look()
  await page.keyboard.press('Enter')
  await expect(page.getByText(canary)).toBeVisible()
  await expect(page.getByRole('timer')).toContainText('Hidden again in')
  expect(await answersWithValue()).toBe(1)
  await expectAccessible(page)
  const copy = page.getByRole('button', { name: 'Copy IBAN' })
  await expect(copy).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(canary)
  await traces.look()

  await page.clock.fastForward(61_000)
  await expect(page.getByText(canary)).toBeHidden()
  expect(await html(page)).not.toContain(canary)
  await expect(page.getByRole('button', { name: 'Reveal IBAN' })).toBeFocused()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('')
  await traces.look()
  expect(traces.found.filter(({ text }) => wordsIn(text, [canary, reason]).length > 0)).toEqual([])
})

test('a revealed value goes when the tab is hidden, and with the session', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Masked again' })
  const id = await service.post(`/users/${user}/entities`, person)
  await signIn('steward', `users/${user}/entities/${id}`)
  await reveal(page)
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.deleteProperty(document, 'visibilityState')
  })
  await expect(page.getByText(canary)).toBeHidden()
  expect(await html(page)).not.toContain(canary)

  await reveal(page)
  await refuseRenewal(page)
  await page.route(`**/api/users/${user}`, (route) => route.fulfill({ status: 401 }))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Masked by the lock')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('dialog', { name: 'Sign in again to continue' })).toBeVisible()
  expect(await html(page)).not.toContain(canary)
  await page.unrouteAll()

  await signIn('steward', `users/${user}/entities/${id}`)
  await reveal(page)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
  // Waits for the end of the redirect to the provider, which ends the provider's session as well.
  await expect(page).not.toHaveURL(/users|oidc/)
  expect(await html(page)).not.toContain(canary)
  await page.goBack()
  expect(await html(page)).not.toContain(canary)
})

test('every reading of a value is recorded with its reason', async ({ page, signIn, service }) => {
  const user = await service.post('/users', { name: 'Recorded' })
  const id = await service.post(`/users/${user}/entities`, person)
  await signIn('steward', `users/${user}/entities/${id}`)
  await reveal(page)
  await page.getByRole('button', { name: 'Hide IBAN' }).click()
  // The previous reason is prefilled for confirmation.
  await page.getByRole('button', { name: 'Reveal IBAN' }).click()
  await expect(page.getByRole('textbox', { name: 'Reason' })).toHaveValue(reason)
  await page.keyboard.press('Enter')
  await expect(page.getByText(canary)).toBeVisible()
  await page.goto(`users/${user}/activity`)
  await expect(page.getByText('Viewed IBAN')).toHaveCount(2)
  await expect(page.getByText(`Reason: ${reason}`)).toHaveCount(2)
})

/** Returns the heap of the page after a collection, as text with all its strings. */
async function heapOf(page: Page): Promise<string> {
  const browser = await page.context().newCDPSession(page)
  const chunks: string[] = []
  browser.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await browser.send('HeapProfiler.collectGarbage')
  await browser.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await browser.detach()
  return chunks.join('')
}

test('a revealed value is in the memory of the page no longer once it is hidden', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Forgotten' })
  await service.post(`/users/${user}/entities`, person)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn('steward', `users/${user}`)
  await reveal(page)
  expect((await heapOf(page)).includes(canary)).toBe(true)
  await page.getByRole('button', { name: 'Hide IBAN' }).click()
  await expect(page.getByText(canary)).toBeHidden()
  expect((await heapOf(page)).includes(canary)).toBe(false)
})

/** Returns how many text areas the page holds in its memory, whether they are shown or not. */
async function heldTextAreas(page: Page): Promise<number> {
  const browser = await page.context().newCDPSession(page)
  const { result } = await browser.send('Runtime.evaluate', { expression: 'HTMLTextAreaElement.prototype' })
  const { objects } = await browser.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' })
  const counted = await browser.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length }',
  })
  // Also lets go of what was found.
  await browser.detach()
  return counted.result.value as number
}

test('inputs of values that were typed and given up leave the memory of the page', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Given Up' })
  await service.post(`/users/${user}/entities`, person)
  await signIn('steward', `users/${user}`)
  const input = page.getByRole('textbox', { name: 'Value of IBAN', exact: true })
  const rounds = 9
  for (let round = 1; round <= rounds; round++) {
    const typed = `value ${round}`
    await page.getByRole('button', { name: 'Edit IBAN', exact: true }).click()
    await page.keyboard.type(typed)
    await expect(input).toHaveValue(typed)
    await page.keyboard.press('Escape')
    await expect(input).toBeHidden()
  }
  // React knows the inputs of its last changes, and what it rendered before them.
  expect(await heldTextAreas(page)).toBeLessThan(rounds / 2)
})
