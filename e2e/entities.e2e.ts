import type { Entity } from '#contract/index.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76 CANARY 0189' },
    { key: 'vip', type: 'BOOLEAN', value: false },
  ],
}

test('a steward adds, changes, renames and removes; each save sends no more than it must', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Edited' })
  const id = await service.post(`/users/${user}/entities`, person)
  const read = () => service.get<Entity>(`/users/${user}/entities/${id}`)
  const before = await read()
  const writes: { method: string; body: unknown }[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH' || request.method() === 'PUT')
      writes.push({ method: request.method(), body: request.postDataJSON() })
  })
  await signIn('steward', `users/${user}/entities/${id}`)
  await expect(page.getByRole('textbox', { name: 'Value of City' })).toHaveValue('Lyon')
  await expect(page.getByRole('combobox', { name: 'Type of City' })).toHaveValue('TEXT')
  await expect(page.getByRole('combobox', { name: 'Type of VIP' })).toHaveValue('BOOLEAN')

  await page.getByRole('textbox', { name: 'Value of City' }).fill('Nantes')
  await page.getByRole('button', { name: 'Add property' }).click()
  await page.keyboard.type('price')
  await page.getByRole('combobox', { name: 'Type of Price' }).selectOption('DECIMAL')
  await page.getByRole('textbox', { name: 'Value of Price' }).fill('12.340')
  await page.getByRole('button', { name: 'Review…' }).click()
  await expect(page.getByRole('dialog')).toContainText('Lyon')
  await expect(page.getByRole('dialog')).toContainText('Nantes')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('2 changes saved')).toBeVisible()
  expect(writes).toEqual([
    {
      method: 'PATCH',
      body: {
        type: 'person',
        properties: [
          { key: 'city', type: 'TEXT', sensitive: false, value: 'Nantes' },
          { key: 'price', type: 'DECIMAL', sensitive: false, value: '12.340' },
        ],
      },
    },
  ])

  await page.getByRole('combobox', { name: 'Property: VIP' }).fill('is vip')
  await page.getByRole('button', { name: 'Remove Price' }).click()
  await page.getByRole('button', { name: 'Review…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(writes[1]?.method).toBe('PUT')
  const after = await read()
  expect(after.properties.map(({ key, value }) => [key, value])).toEqual([
    ['city', 'Nantes'],
    ['iban', 'FR76 CANARY 0189'],
    ['is vip', false],
  ])
  expect(after.properties[0]?.id).toBe(before.properties[0]?.id)
})

test('support sees which values are sensitive and none of them, and may change nothing', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Read-only' })
  const id = await service.post(`/users/${user}/entities`, person)
  const bodies: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/entities')) bodies.push(await response.text().catch(() => ''))
  })
  await signIn('support', `users/${user}/entities/${id}`)
  await expect(page.getByText('You can view these values, but not change them.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reveal IBAN' })).toBeHidden()
  expect(bodies.join('')).toContain('"masked":true')
  expect(bodies.join('')).not.toContain('CANARY')
  await expectAccessible(page)
})

test('leaving with unsaved changes asks first', async ({ page, signIn, service }) => {
  const user = await service.post('/users', { name: 'Leaving' })
  const id = await service.post(`/users/${user}/entities`, person)
  await signIn('steward', `users/${user}/entities/${id}`)
  await page.getByRole('textbox', { name: 'Value of City' }).fill('Brest')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Segments' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByRole('textbox', { name: 'Value of City' })).toHaveValue('Brest')
})

test('an entity is added and opened', async ({ page, signIn, service }) => {
  const user = await service.post('/users', { name: 'Adding' })
  await signIn('steward', `users/${user}`)
  await page.getByRole('link', { name: 'Add entity' }).first().click()
  await page.getByLabel('Entity type').fill('car')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create entity' }).click()
  await expect(page).toHaveURL(/\/entities\/[\da-f-]{36}$/)
  await expect(page.getByText('Car added')).toBeVisible()
  const [entity] = await service.get<Entity[]>(`/users/${user}/entities`)
  expect(page.url()).toContain(entity?.id)
})

test('a misspelt key is pointed out while it is typed, with who has the right one, and corrected by keyboard', async ({
  page,
  signIn,
  service,
}) => {
  const key = `newsletter${crypto.randomUUID().slice(0, 4)}`
  const user = await service.post('/users', { name: 'Typed' })
  for (const type of ['person', 'person'])
    await service.post(`/users/${user}/entities`, {
      type,
      properties: [{ key, type: 'BOOLEAN', value: true }],
    })
  const id = await service.post(`/users/${user}/entities`, { type: 'person', properties: [] })
  await signIn('steward', `users/${user}/entities/${id}`)
  await page.getByRole('button', { name: 'Add property' }).click()
  await page.keyboard.type(key.replace('tt', 't'))
  const advice = `1 user has “${key}” (Yes or no).`
  await expect(page.getByText(advice)).toBeVisible()
  const [typed, told] = [
    await page.getByPlaceholder('Property', { exact: true }).boundingBox(),
    await page.getByText(advice).boundingBox(),
  ]
  expect(told?.y ?? 0, 'the advice is below its key').toBeGreaterThanOrEqual(
    (typed?.y ?? 0) + (typed?.height ?? 0),
  )
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: `Use “${key}”` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: `Type of ${key}` })).toHaveValue('BOOLEAN')
  await expect(page.getByText(advice)).toBeHidden()
  // Advice also appears for a data type that no other user has for this key, with a button for the usual type.
  await page.getByRole('combobox', { name: `Type of ${key}` }).selectOption('TEXT')
  await expect(page.getByText(advice)).toBeVisible()
  await page.getByRole('button', { name: 'Use the type Yes or no' }).press('Enter')
  await expect(page.getByRole('combobox', { name: `Type of ${key}` })).toHaveValue('BOOLEAN')
})

test('Save stays in sight in the review of long values, also on a phone', async ({
  page,
  signIn,
  service,
}) => {
  const long = (word: string) => Array.from({ length: 80 }, () => word).join('\n')
  const notes = ['first', 'second', 'third'].map((key) => ({ key, type: 'TEXT', value: long(key) }))
  const user = await service.post('/users', { name: 'Edited' })
  const id = await service.post(`/users/${user}/entities`, { type: 'person', properties: notes })
  await signIn('steward', `users/${user}/entities/${id}`)
  await page.setViewportSize({ width: 390, height: 620 })
  for (const { key, value } of notes)
    await page.getByRole('textbox', { name: `Value of ${key}` }).fill(`${value}\nmore`)
  await page.getByRole('button', { name: 'Review…' }).click()
  const review = page.getByRole('dialog')
  const save = review.getByRole('button', { name: 'Save 3 changes' })
  await expect(save).toBeInViewport({ ratio: 1 })
  await review.getByText('Show the exact request').scrollIntoViewIfNeeded()
  await review.getByText('Show the exact request').click()
  await review.getByRole('row', { name: /^Third/ }).scrollIntoViewIfNeeded()
  await expect(save).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await save.click()
  await expect(page.getByText('3 changes saved')).toBeVisible()
})
