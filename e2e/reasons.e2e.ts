import { expect, test } from './fixtures.ts'

interface Written {
  readonly properties: { readonly changeset: string }
}

test('a change, why it was made, and who reads that: by keyboard', async ({ page, signIn, service }) => {
  const properties = [{ key: 'city', type: 'TEXT', value: 'Lyon' }]
  const user = await service.post('/users', { name: 'Ines Reason' })
  const entity = await service.post(`/users/${user}/entities`, { type: 'place', properties })
  await signIn('steward', `users/${user}/entities/${entity}`)
  await page.getByLabel('Value of City', { exact: true }).fill('Paris')
  await page.getByRole('button', { name: 'Review…' }).press('Enter')
  const review = page.getByRole('dialog')
  await expect(review.getByRole('button', { name: /^Save 1/ })).toBeFocused()
  const field = review.getByRole('textbox', { name: 'Reason (optional)' })
  await field.fill('Ticket 4711: she moved – Zoë')
  await field.press('Enter')
  await expect(review).toBeHidden()
  const events = await service.get<Written[]>(`/events?order=desc&user=${user}`)
  expect(await service.get(`/changesets/${events[0]?.properties.changeset}`)).toMatchObject({
    reason: 'Ticket 4711: she moved – Zoë',
  })
  expect(JSON.stringify(events)).not.toContain('Ticket')
  await page.goto(`users/${user}/activity`)
  await expect(page.getByText('Ticket 4711: she moved – Zoë')).toBeVisible()
  const kept = await page.evaluate(() =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      history.state,
      location.href,
    ]),
  )
  expect(kept).not.toContain('Ticket')
})
