import type { Locator, Page } from '@playwright/test'

import { expect, type Service, test } from './fixtures.ts'

async function prepare(service: Service) {
  const user = await service.post('/users', { name: 'Jean-Luc Picard-Crusher' })
  const entity = await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'city', type: 'TEXT', value: 'Aix-en-Provence' },
      { key: 'seen', type: 'DATETIME', value: '2024-03-01T09:30:00.000Z' },
    ],
  })
  return { user, entity }
}

/** Opens a page and waits until it is rendered with its heading. */
async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.locator('[data-frame]')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('main').getByText(/^Loading( segments…)?$/)).toHaveCount(0)
  await expect(page.getByRole('main').locator('[data-loading]')).toHaveCount(0)
}

/** Returns the parts of this screen that deviate in position, look or name from the rules for all screens. */
const oddities = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main')
    if (!main) return ['no main']
    const all = (selector: string) => [...main.querySelectorAll<HTMLElement>(selector)]
    const edge = main.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(main).paddingLeft)
    const odd: string[] = []
    const textLeft = (element: Element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(node)
        const { left, width } = range.getBoundingClientRect()
        if (width > 1) return left
      }
      return undefined
    }
    const expectAt = (element: Element, at: number, what: string) => {
      const left = textLeft(element)
      if (left !== undefined && Math.abs(left - at) > 1)
        odd.push(`${what} “${element.textContent.slice(0, 30)}” stands at ${left}, not at ${at}`)
    }
    // The name of a person has an avatar before it, so this title starts further right.
    const title = all('h1')[0]
    if (title && !title.parentElement?.querySelector('[class*=vatar]')) expectAt(title, edge, 'the title')
    for (const head of all('table > thead th:first-child, [role=columnheader]:first-child'))
      if (Math.abs(head.getBoundingClientRect().left - edge) < 24)
        expectAt(head, edge + 8, 'the head of rows')
    for (const field of all('.mantine-InputWrapper-root')) {
      const label = field.querySelector('label')
      const at = label && textLeft(label)
      for (const said of field.querySelectorAll(':scope > .mantine-InputWrapper-description'))
        if (at) expectAt(said, at, 'the description')
    }
    for (const button of all(
      'form button[data-variant=subtle] .mantine-Button-section[data-position=left]',
    )) {
      // A button with an icon has some padding of its own.
      const { left } = button.getBoundingClientRect()
      if (left < edge + 24 && Math.abs(left - edge) > 4)
        odd.push(`a button begins at ${left}, not at ${edge}`)
    }
    for (const icon of all('svg[class*=icon-chevron], svg[class*=icon-arrow-left], svg[class*=icon-caret]'))
      if (!icon.matches('[class*=icon-chevron]') || icon.getBoundingClientRect().width !== 14)
        odd.push(`${icon.getAttribute('class')} of ${icon.getBoundingClientRect().width}`)
    // Tabular figures widen a hyphen, so they are only for columns of numbers.
    for (const element of all('*'))
      if (
        [...element.childNodes].some(
          ({ nodeType, nodeValue }) => nodeType === 3 && /\p{L}-\p{L}/u.test(nodeValue ?? ''),
        ) &&
        getComputedStyle(element).fontVariantNumeric.includes('tabular-nums')
      )
        odd.push(`tabular: ${element.textContent.slice(0, 30)}`)
    const wire = /\b(?:PATCH|PUT|If-Match|ETag|HTTP|[a-z]+:(?:read|write|manage))\b/g
    return [...odd, ...(main.innerText.match(wire) ?? [])]
  })

test('on every screen things are where they are elsewhere, and have the names that people use', async ({
  page,
  signIn,
  service,
}) => {
  const { user, entity } = await prepare(service)
  await signIn('steward', 'users')
  const paths = [
    'users',
    `users/${user}`,
    `users/${user}/entities/${entity}`,
    'users/new',
    'users/export',
    'segments',
    'events',
    `users/${user}/activity`,
    'users/import',
    'dictionary',
    'audit',
    'users/batch',
    'jobs',
    'users/deleted',
  ]
  for (const path of paths)
    await test.step(path, async () => {
      await open(page, path)
      await expect.poll(() => oddities(page)).toEqual([])
    })

  // Data types have the same names in both forms.
  await open(page, `users/${user}/entities/${entity}`)
  const type = page.getByRole('combobox', { name: 'Type of City' })
  await expect(type).toHaveValue('TEXT')
  const types = await type.locator('option').allTextContents()
  await open(page, 'users/new')
  await page.getByRole('button', { name: 'Add properties' }).click()
  await expect(page.getByRole('combobox', { name: /^Type of/ }).locator('option')).toHaveText(types)
})

/** Returns the rows that overlap the next row, and `wider` if the page is wider than the window. */
const collisions = (page: Page) =>
  page.evaluate(() => {
    const rows = [
      ...document.querySelectorAll<HTMLElement>('main :is(tbody tr, [role=rowgroup] [role=row], dl > div)'),
    ]
    const boxes = rows.map((row) => row.getBoundingClientRect()).filter(({ height }) => height > 2)
    const over = boxes.filter(
      (box, index) =>
        boxes[index + 1] !== undefined &&
        box.bottom > (boxes[index + 1]?.top ?? 0) + 1 &&
        box.top < (boxes[index + 1]?.top ?? 0) &&
        Math.abs(box.left - (boxes[index + 1]?.left ?? 0)) < 1,
    )
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...over.map(({ top, bottom }) => `${top} to ${bottom}`),
      ...(scrollWidth > clientWidth ? ['wider'] : []),
    ]
  })

test('rows have room at every size: enlarged twice, far down on a phone, and in a very wide window', async ({
  page,
  signIn,
  service,
}) => {
  const { user, entity } = await prepare(service)
  await signIn('steward', 'users')
  for (const path of ['users', 'events', `users/${user}`, `users/${user}/entities/${entity}`, 'segments'])
    await test.step(path, async () => {
      // At 200 % zoom, browsers lay out a window of 1,280 × 800 pixels in this size.
      await page.setViewportSize({ width: 640, height: 400 })
      await open(page, path)
      await expect.poll(() => collisions(page)).toEqual([])
      // Content has to fill a wide window.
      await page.setViewportSize({ width: 2560, height: 1200 })
      const used = () =>
        page.getByRole('main').evaluate((main) => main.getBoundingClientRect().right / window.innerWidth)
      await expect.poll(used).toBeGreaterThan(0.9)
    })

  await page.setViewportSize({ width: 390, height: 800 })
  for (const path of ['users', 'events'])
    await test.step(`${path} on a phone`, async () => {
      await open(page, path)
      const rows = page
        .getByRole('table')
        .getByRole('row')
        .filter({ has: page.getByRole('link') })
      const shape = (row: Locator) =>
        row.evaluate((element) => {
          const { display, gridTemplateAreas } = getComputedStyle(element)
          return `${display} ${gridTemplateAreas}`
        })
      await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
      await expect.poll(() => shape(rows.last())).toBe(await shape(rows.first()))
    })
})

test('a hint has its width at the right edge, too', async ({ page, signIn }) => {
  await signIn('steward', 'users')
  const target = page.getByRole('button', { name: 'Columns and row height' })
  const hint = page.getByRole('tooltip').getByText('Columns and row height')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.mouse.move(0, 0)
    await target.hover()
    await expect(hint).toBeVisible()
    const box = await hint.boundingBox()
    expect(box?.height).toBeLessThan(24)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
  }
})
