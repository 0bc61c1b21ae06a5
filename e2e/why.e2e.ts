import { expect, expectAccessible, test } from './fixtures.ts'

test('one user in a segment and one who is not: why is said for both', async ({ page, signIn, service }) => {
  const ref = crypto.randomUUID().slice(0, 8)
  const car = (brand: string, year: number) => ({
    type: 'car',
    properties: [
      { key: 'brand', type: 'TEXT', value: brand },
      { key: 'year', type: 'NUMBER', value: year },
    ],
  })
  const inside = await service.post('/users', { name: 'Ana Inside', ref })
  await service.post(`/users/${inside}/entities`, car('Volvo', 2021))
  const outside = await service.post('/users', { name: 'Bob Outside', ref: `not-${ref}` })
  await service.post(`/users/${outside}/entities`, car('Volvo', 2018))
  const used = await service.post('/segments', {
    name: `Used ${ref}`,
    filter: { user: 'ref', op: 'contains', value: ref },
  })
  const segment = await service.post('/segments', {
    name: `Recent ${ref}`,
    filter: {
      all: [
        { segment: used },
        {
          entity: 'car',
          where: [
            { key: 'brand', type: 'TEXT', op: 'eq', value: 'volvo' },
            { key: 'year', type: 'NUMBER', op: 'gte', value: 2020 },
          ],
        },
      ],
    },
  })

  await signIn('steward', `users/${inside}/segments`)
  const why = page.getByRole('button', { name: `Why: Recent ${ref}` })
  await why.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('All of these: 2 of 2 met')).toBeVisible()
  await expect(page.getByText('Found: 2021')).toBeVisible()
  await expect(why).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`why=${segment}`))
  await page.locator('summary', { hasText: `Why: Used ${ref}` }).press('Enter')
  await expect(page.getByText(`Found: ${ref}`)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: `Recent ${ref}` }).click()
  const user = page.getByRole('combobox', { name: 'User' })
  await user.fill(`not-${ref}`)
  await expect(page.getByRole('option', { name: /Bob Outside/ })).toBeVisible()
  await user.press('Enter')
  await expect(page.getByText('Bob Outside isn’t in this segment.')).toBeVisible()
  await expect(page.getByText('All of these: 1 of 2 met')).toBeVisible()
  await expect(page.getByText('Found: 2018')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Bob Outside' }).click()
  await expect(page.getByRole('button', { name: `Why not: Recent ${ref}` })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
})
