import type { Locator, Page } from '@playwright/test'

import { linesOf } from './fits.ts'
import { expect, expectAccessible, type Service, test } from './fixtures.ts'
import { isPseudo } from './pseudo.ts'

async function prepare(service: Service) {
  const user = await service.post('/users', {
    name: 'Walburga Hohenstein-Baumgartner',
    email: `walburga.hohenstein-baumgartner${crypto.randomUUID().slice(0, 8)}@example.org`,
  })
  await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'first_name', type: 'TEXT', value: 'Walburga' },
      { key: 'iban', type: 'TEXT', value: 'CANARY-0190', sensitive: true },
      { key: 'loyal', type: 'BOOLEAN', value: true },
    ],
  })
  return user
}

const style = (of: Locator, name: string, pseudo?: string) =>
  of.evaluate((element, [property, part]) => getComputedStyle(element, part).getPropertyValue(property), [
    name,
    pseudo,
  ] as const)

const rowOf = (page: Page, label: string) =>
  page.getByRole('main').locator('dl > div').filter({ hasText: label }).first()

test('a sensitive row stays violet under the pointer, and the hint of a label covers no other label', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('steward', `users/${await prepare(service)}`)
  const [plain, sensitive] = [rowOf(page, 'First name'), rowOf(page, 'IBAN')]
  await plain.hover()
  const grey = await style(plain, 'background-color')
  await sensitive.hover()
  expect(await style(sensitive, 'background-color')).not.toBe(grey)
  const violet = await sensitive.evaluate((row) => {
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(row).backgroundColor.match(/\d+/g)?.map(Number) ?? []
    return red > green + 8 && blue > green + 8
  })
  expect(violet).toBe(true)

  await page.getByText('First name', { exact: true }).hover()
  const hint = page.getByRole('tooltip')
  await expect(hint).toHaveText(/first_name/)
  const [told, next] = [
    await hint.boundingBox(),
    await page.getByText('Loyal', { exact: true }).boundingBox(),
  ]
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThanOrEqual(next?.y ?? 0)
})

test('a colleague who may only read entities is offered details, and no pencil at them', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('support', `users/${await prepare(service)}`)
  await expect(page.getByRole('link', { name: 'Details of person' })).toBeVisible()
  const entities = page.locator('#main section:not([aria-label="Identity"])')
  await expect(entities.locator(':is(h2 ~ a, dl) .tabler-icon-pencil')).toHaveCount(0)
})

test('rows can be seen to be ordered and selected before the pointer comes', async ({ page, signIn }) => {
  await signIn('steward', 'users')
  const table = page.getByRole('table', { name: 'Users' })
  const box = table.getByRole('checkbox').first()
  await expect(box).toBeVisible()
  // Playwright considers a fully transparent box visible, so the opacity is checked.
  expect(
    await box.evaluate((element) => {
      let opacity = 1
      for (let at: Element | null = element; at; at = at.parentElement)
        opacity *= Number(getComputedStyle(at).opacity)
      return opacity
    }),
  ).toBe(1)
  const sort = table.getByRole('button', { name: 'Name' })
  expect(await style(sort, 'content', '::after')).toContain('↕')
  expect(await style(sort, 'visibility', '::after')).toBe('visible')
  const search = page.getByRole('searchbox', { name: 'Find users' })
  expect(await style(search, 'font-style', '::placeholder')).toBe('italic')
})

test('a tablet has the areas in sight and tables with heads; a phone has neither', async ({
  page,
  signIn,
  service,
}) => {
  await service.delete(`/users/${await service.post('/users', { name: 'Deleted' })}`)
  await page.setViewportSize({ width: 768, height: 1024 })
  await signIn('admin', 'users')
  const areas = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(areas.filter({ hasText: 'Webhooks' })).toBeVisible()
  for (const area of await areas.all()) {
    await expect(area).toBeInViewport()
    expect(await area.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true)
    expect(await area.evaluate((link) => link.scrollHeight <= link.clientHeight)).toBe(true)
    expect((await area.locator('svg').first().boundingBox())?.height).toBeGreaterThanOrEqual(16)
  }
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeHidden()
  await expect(page.getByRole('columnheader', { name: 'E-mail' })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectAccessible(page)
  for (const path of ['segments', 'audit', 'users/deleted', 'webhooks', 'dictionary'])
    for (const width of [700, 768, 910, 1024]) {
      await page.setViewportSize({ width, height: 1024 })
      await page.goto(path)
      await expect(page.getByRole('table').last().getByRole('row').nth(1)).toBeVisible()
      await expect(page.locator('[data-frame], main [data-loading]')).toHaveCount(0)
      // In a column that is too narrow, words wrap every few letters. The widths are those for English words.
      if (isPseudo) continue
      const slim = await page
        .locator('main tbody td')
        .evaluateAll((cells) =>
          cells
            .filter((cell) => cell.textContent.trim().length > 24 && cell.clientWidth < 88)
            .map((cell) => `${cell.clientWidth}: ${cell.textContent}`),
        )
      expect.soft(slim, `${path} ${width}`).toEqual([])
    }
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeVisible()
  await expect(areas.first()).toBeHidden()
})

test('values are beside their labels, as the reader writes them, with seconds and zone on hover', async ({
  page,
  signIn,
  service,
}) => {
  const user = await prepare(service)
  await service.post(`/users/${user}/entities`, {
    type: 'car',
    properties: [
      { key: 'make', type: 'TEXT', value: 'Peugeot' },
      { key: 'mileage', type: 'NUMBER', value: 123456.5 },
      { key: 'first_registration', type: 'DATE', value: '2015-01-20' },
      { key: 'seen', type: 'DATETIME', value: '2025-02-23T06:21:52.000Z' },
    ],
  })
  await signIn('steward', `users/${user}`)
  for (const width of [390, 768, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    const row = rowOf(page, 'Mileage')
    await expect(row.locator('dd')).toContainText('123,456.5')
    const [label, value] = [await row.locator('dt').boundingBox(), await row.locator('dd').boundingBox()]
    expect((value?.x ?? 0) - (label?.x ?? 0)).toBeLessThanOrEqual(200)
    const start = await row.locator('dd').evaluate((dd) => {
      const range = document.createRange()
      range.selectNodeContents(dd)
      return range.getBoundingClientRect().x
    })
    expect(start - (value?.x ?? 0)).toBeLessThanOrEqual(4)
    const others = ['First registration', 'Seen'].map((name) => rowOf(page, name).locator('dd'))
    await expect(others[0] ?? row).toContainText('20 Jan 2015')
    await expect(others[1] ?? row).toContainText(/23 Feb 2025, 06:21$/)
  }
  await page.getByText('23 Feb 2025, 06:21', { exact: true }).hover()
  await expect(page.getByRole('tooltip')).toContainText('23 Feb 2025, 06:21:52 UTC')
})

test('the facts of a user are below each other where they take several lines', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('steward', `users/${await prepare(service)}`)
  const labels = page.getByRole('region', { name: 'Identity' }).locator('dt')
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(labels.last()).toBeVisible()
    const places = await labels.evaluateAll((all) =>
      all.map((label) => {
        const { x, y } = label.getBoundingClientRect()
        return { x: Math.round(x), y: Math.round(y) }
      }),
    )
    const lines = [...Map.groupBy(places, ({ y }) => y).values()].map((line) => line.map(({ x }) => x))
    expect(lines.length).toBeGreaterThan(1)
    const widest = new Set(lines.toSorted((one, other) => other.length - one.length)[0])
    expect(lines.flat().filter((x) => !widest.has(x))).toEqual([])
  }
})

test('an e-mail is broken neither inside its last word nor at a hyphen, and no strip beside a dialog stays bright', async ({
  page,
  signIn,
  service,
}) => {
  const email = `imogen.${crypto.randomUUID().slice(0, 8)}.hartley-ashworth-bell@example.org`
  const user = await service.post('/users', { name: 'Imogen Hartley', email })
  for (const width of [1220, 1280, 1440, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    if (width === 1220) await signIn('support', `users/${user}`)
    const lines = await linesOf(page.getByText(email, { exact: true }))
    expect(lines.at(-1)).toMatch(/@example\.org$/)
    for (const line of lines) expect(line).not.toMatch(/-$/)
  }
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  // The screenshot is decoded in a page without the console's security policy, which forbids reading `data:` addresses.
  const reader = await page.context().newPage()
  const edge = await page.evaluate(() => document.documentElement.clientWidth)
  await expect
    .poll(async () => {
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
      const png = await page.screenshot({
        clip: { x: edge - 8, y: height - 8, width: width - edge + 8, height: 1 },
      })
      return await reader.evaluate(async (base64) => {
        const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob()
        const image = await createImageBitmap(blob)
        const canvas = new OffscreenCanvas(image.width, 1)
        const context = canvas.getContext('2d')
        context?.drawImage(image, 0, 0)
        const at = (x: number) => [...(context?.getImageData(x, 0, 1, 1).data ?? [])].slice(0, 3)
        const [dim, strip] = [at(1), at(image.width - 3)]
        return Math.max(...dim.map((value, index) => Math.abs(value - (strip[index] ?? 255))))
      }, png.toString('base64'))
    })
    .toBeLessThan(12)
})

test('a record is scrolled by the window alone, until somebody is at its facts', async ({
  page,
  signIn,
  service,
}) => {
  const user = await prepare(service)
  for (let n = 0; n < 12; n++) await service.patch(`/users/${user}`, { ref: `${user}-${n}` })
  await page.setViewportSize({ width: 1600, height: 420 })
  await signIn('steward', `users/${user}`)
  const facts = page.getByRole('region', { name: 'Identity' })
  await expect(page.getByRole('list', { name: 'Activity, newest first' })).toBeVisible()
  const bars = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main, main *')]
        .filter((element) => {
          const { overflowY, scrollbarColor } = getComputedStyle(element)
          const isScrolled = /auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight
          return isScrolled && !scrollbarColor.startsWith('rgba(0, 0, 0, 0)')
        })
        .map((element) => element.className),
    )
  expect(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight)).toBe(true)
  await page.mouse.move(0, 0)
  expect(await bars()).toEqual([])
  await facts.hover()
  expect(await bars()).toHaveLength(1)
})

test('a web address is broken between its parts on a phone', async ({ page, signIn, service }) => {
  const user = await service.post('/users', { name: 'Web Site' })
  const value = 'https://www.example.org/customers/accounts/november?view=everything&order=latest'
  const properties = [{ key: 'website', type: 'URL', value }]
  await service.post(`/users/${user}/entities`, { type: 'company', properties })
  await signIn('support', `users/${user}`)
  await page.setViewportSize({ width: 390, height: 900 })
  const lines = await linesOf(page.getByRole('link', { name: value }))
  expect(lines.join('')).toBe(value)
  expect(lines.length).toBeGreaterThan(2)
  // Neither side of a break is within a word.
  expect(lines.slice(1).filter((line, at) => !/\W$/.test(lines[at] ?? '') && !/^\W/.test(line))).toEqual([])
})

test('a row that opens moves only what is beneath it, however many rows stand side by side', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Wide Screen' })
  const values = Array.from({ length: 9 }, (_, n) => ({
    key: `fact_${n}`,
    type: 'TEXT',
    value: n === 6 ? 'A long remark. '.repeat(40) : `Value ${n}`,
  }))
  await service.post(`/users/${user}/entities`, { type: 'car', properties: values })
  for (const [width, beside] of [
    [1800, 1],
    [2560, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await signIn('steward', `users/${user}`)
    const rows = page.locator('dl > div').filter({ hasText: /^Fact/ })
    await expect(rows).toHaveCount(9)
    const boxes = () =>
      rows.evaluateAll((all) =>
        all.map((row) => [row.getBoundingClientRect()].map(({ x, y }) => ({ x, y }))[0]),
      )
    /** Returns the rows that end above one that is beside them. */
    const ends = () =>
      rows.evaluateAll((all) => {
        const found = all.map((row) => row.getBoundingClientRect())
        return found.filter(({ y, bottom }) =>
          found.some((other) => other.y === y && other.bottom > bottom + 1),
        )
      })
    expect(await ends()).toEqual([])
    const before = await boxes()
    expect(new Set(before.map((box) => box?.x)).size).toBe(beside)
    await page.getByText('Value 4', { exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Value of Fact 4' })).toBeFocused()
    expect(await ends()).toEqual([])
    const isBeneath = (at: number) => (before[at]?.y ?? 0) > (before[4]?.y ?? 0)
    const after = await boxes()
    expect(after.filter((_, at) => !isBeneath(at))).toEqual(before.filter((_, at) => !isBeneath(at)))
    expect(after.map((box) => box?.x)).toEqual(before.map((box) => box?.x))
  }
})

test('with forced colours the chosen, current and changed items differ by more than colour', async ({
  page,
  signIn,
  service,
}) => {
  const user = await prepare(service)
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn('steward', `users/${user}`)
  const differs = async (chosen: Locator, other: Locator, name: string) =>
    expect(await style(chosen, name)).not.toBe(await style(other, name))
  const areas = page.getByRole('navigation', { name: 'Main' })
  const highlight = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('span'))
    probe.style.setProperty('background', 'Highlight')
    const { backgroundColor } = getComputedStyle(probe)
    probe.remove()
    return backgroundColor
  })
  expect(await style(areas.getByRole('link', { name: 'Users' }), 'background-color')).toBe(highlight)
  await differs(
    areas.getByRole('link', { name: 'Users' }),
    areas.getByRole('link', { name: 'Segments' }),
    'background-color',
  )
  const tabs = page.getByRole('navigation', { name: 'About this user' })
  await differs(
    tabs.getByRole('link', { name: 'Entities' }),
    tabs.getByRole('link', { name: 'Segments' }),
    'border-bottom-color',
  )
  await page.getByRole('link', { name: 'Edit person' }).click()
  await page.getByRole('textbox', { name: 'Value of First name' }).fill('Wally')
  const rows = page.getByRole('list', { name: 'Properties' }).getByRole('listitem')
  const mark = (row: Locator) =>
    row.evaluate((element) => getComputedStyle(element, '::before').backgroundColor)
  await expect.poll(() => mark(rows.first())).not.toBe(await style(page.locator('body'), 'background-color'))
  const segments = page.getByRole('radiogroup', { name: 'Value of Loyal' })
  await differs(
    segments.getByText('Yes', { exact: true }),
    segments.getByText('No', { exact: true }),
    'background-color',
  )
  await expectAccessible(page)
})

test('the editor marks what is changed, added and removed in colours of their own, and nothing else', async ({
  page,
  signIn,
  service,
}) => {
  const user = await prepare(service)
  await signIn('steward', `users/${user}`)
  await page.getByRole('link', { name: 'Edit person' }).click()
  await page.getByRole('textbox', { name: 'Value of First name' }).fill('Wally')
  await page.getByRole('button', { name: 'Remove Loyal' }).click()
  await page.getByRole('button', { name: 'Add property' }).click()
  await page.keyboard.type('extra')
  const marks = () =>
    page
      .getByRole('list', { name: 'Properties' })
      .getByRole('listitem')
      .evaluateAll((rows) =>
        rows.map((row) => {
          const { content, backgroundColor } = getComputedStyle(row, '::before')
          return `${row.dataset['state']} ${content === 'none' ? 'unmarked' : backgroundColor}`
        }),
      )
  await expect.poll(async () => (await marks()).at(-1)).toMatch(/^added rgb/)
  const byState = new Map((await marks()).map((mark) => mark.split(/ (.*)/) as [string, string]))
  expect(byState.get('kept')).toBe('unmarked')
  const colours = ['edited', 'added', 'removed'].map((state) => byState.get(state))
  expect(new Set(colours.filter((colour) => colour?.startsWith('rgb'))).size).toBe(3)
})

test('every control is at least 24 pixels large', async ({ page, signIn, service }) => {
  const user = await prepare(service)
  await signIn('steward', `users/${user}`)
  for (const path of [
    `users/${user}`,
    `users/${user}/activity`,
    'users',
    'segments',
    'events',
    'audit',
    'home',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[data-frame], [data-loading]')).toHaveCount(0)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, [role=button], summary, a:has(> svg:only-child)')]
        .filter((element) => element.checkVisibility())
        .map((element) => ({ box: element.getBoundingClientRect(), name: element.outerHTML.slice(0, 160) }))
        .filter(({ box }) => box.width > 1 && (box.width < 24 || box.height < 24))
        .map(({ box, name }) => `${Math.round(box.width)} × ${Math.round(box.height)} ${name}`),
    )
    expect.soft(small, path).toEqual([])
  }
})

test('in a filter the property and the operator are read whole, and code is in letters of one width', async ({
  page,
  signIn,
  service,
}) => {
  const key = 'first_registration_of_the_vehicle'
  const segment = await service.post('/segments', {
    name: `Whole ${crypto.randomUUID().slice(0, 8)}`,
    filter: { entity: 'car', where: [{ key, type: 'DATE', op: 'anniversary_within', value: 'P1M' }] },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn('admin', `segments/${segment}/edit`)
  const room = (field: Locator) =>
    field.evaluate((element) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(element)
      const context = document.createElement('canvas').getContext('2d')
      if (!context) return Number.NaN
      context.font = font
      const text =
        element instanceof HTMLSelectElement
          ? (element.selectedOptions[0]?.text ?? '')
          : (element as HTMLInputElement).value
      return (
        element.clientWidth -
        Number.parseFloat(paddingLeft) -
        Number.parseFloat(paddingRight) -
        context.measureText(text).width
      )
    })
  await expect(page.getByText('Car › First registration of the vehicle')).toBeVisible()
  expect(await room(page.getByRole('combobox', { name: 'Comparison' }))).toBeGreaterThanOrEqual(0)
  await page.goto(`segments/${segment}`)
  const code = page.getByRole('main').locator('pre')
  await page.getByText('As JSON', { exact: true }).click()
  expect(await style(code.first(), 'font-family')).toContain('JetBrains Mono')
})

test('on a phone the menu is beside the main button, and words below a hidden value begin where it begins', async ({
  page,
  signIn,
  service,
}) => {
  const segment = await service.post('/segments', {
    name: `Narrow ${crypto.randomUUID().slice(0, 8)}`,
    filter: { user: 'account', op: 'eq', value: true },
  })
  const user = await prepare(service)
  await signIn('admin', `segments/${segment}`)
  await page.setViewportSize({ width: 390, height: 844 })
  const menu = page.getByRole('main').getByRole('button', { name: 'More actions' })
  const edit = page.getByRole('main').getByRole('link', { name: 'Edit', exact: true })
  await expect(edit).toBeVisible()
  const [dots, words] = [await menu.boundingBox(), await edit.boundingBox()]
  expect(dots?.width).toBeLessThanOrEqual(40)
  expect(dots?.y).toBe(words?.y)

  await page.goto(`users/${user}`)
  const hidden = rowOf(page, 'IBAN').locator('dd [data-value]')
  await expect(hidden.getByRole('button', { name: /^Check/ })).toBeVisible()
  for (const width of [390, 340, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const starts = await hidden.evaluate((text) => {
      const parts = [...text.querySelectorAll(':scope > span:first-child > *, button')].map((part) => {
        const { left, top, height } = part.getBoundingClientRect()
        return {
          line: Math.round((top + height / 2) / 12),
          start: left + Number.parseFloat(getComputedStyle(part).paddingInlineStart),
        }
      })
      return [...Map.groupBy(parts, ({ line }) => line).values()].map((line) =>
        Math.min(...line.map(({ start }) => start)),
      )
    })
    // Text starts at fractions of a pixel, so there is a tolerance.
    expect(Math.max(...starts) - Math.min(...starts), `${width}: ${starts.join()}`).toBeLessThan(2)
  }
})

test('the error of a field is not covered by the hint of the button in it', async ({ page, signIn }) => {
  await signIn('admin', 'audit')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('textbox', { name: /^From/ }).fill('never')
  await page.getByRole('button', { name: 'Show entries' }).click()
  const error = await page.getByText('Enter a full date and time').boundingBox()
  await page.getByRole('button', { name: /^Pick a date and time: From/ }).hover()
  const hint = page.getByRole('tooltip')
  await expect(hint).toBeVisible()
  const covering = await hint.boundingBox()
  expect((covering?.y ?? 0) + (covering?.height ?? 0)).toBeLessThanOrEqual(error?.y ?? 0)
})

test('forced colours tell a chosen box from the others', async ({ page, signIn }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn('admin', 'users/export')
  const colour = (name: string | RegExp, role: 'radio' | 'checkbox' = 'radio') =>
    page.getByRole(role, { name }).evaluate((box) => getComputedStyle(box).backgroundColor)
  await expect(page.getByRole('radio', { name: /^CSV/ })).toBeChecked()
  expect(await colour(/^CSV/)).not.toBe(await colour(/^JSON Lines/))
  const whole = await colour(/^Name/, 'checkbox')
  await page.getByRole('checkbox', { name: /^Name/ }).uncheck()
  await expect.poll(() => colour(/^Name/, 'checkbox')).not.toBe(whole)

  await page.goto('users')
  const boxes = page.getByRole('table', { name: 'Users' }).getByRole('checkbox')
  const fill = (box: Locator) => box.evaluate((element) => getComputedStyle(element).backgroundColor)
  await boxes.first().check()
  await expect.poll(async () => (await fill(boxes.first())) === (await fill(boxes.nth(1)))).toBe(false)
})

test('the marks of states differ by more than colour', async ({ page, signIn }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn('admin', 'webhooks')
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
  const shapes = await page.evaluate(() => {
    const mark = document.querySelector('main td:nth-child(2) > span')
    return ['success', 'warning', 'failure', undefined].map((tone) => {
      const like = mark?.cloneNode() as HTMLElement
      if (tone === undefined) delete like.dataset['tone']
      else like.dataset['tone'] = tone
      mark?.after(like)
      const { borderRadius, clipPath, backgroundColor } = getComputedStyle(like, '::before')
      like.remove()
      return [borderRadius, clipPath, backgroundColor].join(' ')
    })
  })
  expect(new Set(shapes).size).toBe(4)
})
