import { expect, test as base } from './fixtures.ts'
import { startOwnService } from './own-service.ts'
import { traceOf, wordsIn } from './traces.ts'

// A separate service, whose log is searched at its most verbose level.
const test = base.extend<object, { own: Awaited<ReturnType<typeof startOwnService>> }>({
  own: [
    // oxlint-disable-next-line no-empty-pattern -- this is how Playwright learns what a fixture needs
    async ({}, provide) => {
      const own = await startOwnService({ SAMPLE_DATA: '60', LOG_LEVEL: 'info' })
      await provide(own)
      await own.close()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ own }, provide) => provide(own.url),
})

// Invented words, so that none of them occurs anywhere by chance.
const person = { name: 'Zephyrine Quillfeather', email: 'zephyrine@quillfeather.example', ref: 'Korbinsky7' }
const city = 'Ormolustadt'
const iban = 'Velvetarium'
const newName = 'Zephyrine Marrowbonnet'
const newCity = 'Halcyonburg'
const created = { name: 'Barnabas Oxthistle', email: 'barnabas@oxthistle.example', ref: 'Plumbagow' }
const found = 'Quillfeat'
const notFound = 'Snollygoster'
const soughtAnywhere = 'Flibbertigibbet'
const soughtDeleted = 'Tatterdemalion'
const reason = 'Taradiddles of a marmalade'
const csv = [
  'name,email,ref,telephone',
  'Wilhelmina Tumbledown,wilhelmina@tumbledown.example,Gallimaufry,Skedaddled',
  'Bartholomew Whirligig,no address of Whirligig,Widdershins,',
].join('\n')
const csvFile = 'Brobdingnagian.csv'
const words =
  `Zephyrine Quillfeather Korbinsky Ormolustadt Velvetarium Marrowbonnet Halcyonburg Barnabas Oxthistle
  Plumbagow Snollygoster Flibbertigibbet Taradiddles marmalade Wilhelmina Tumbledown Gallimaufry Skedaddled Bartholomew
  Whirligig Widdershins Brobdingnagian Tatterdemalion`.split(/\s+/)

test('the words are recognised in the forms in which they get into addresses, storages and logs', () => {
  const sentence = `Zephyrine ${city}, ünd`
  const forms = [
    sentence.toUpperCase(),
    `?q=${encodeURIComponent(sentence)}`,
    `?${new URLSearchParams({ q: sentence })}`,
    ...['', '1', '12'].map((before) => Buffer.from(before + sentence).toString('base64')),
    Buffer.from(`{"q":"${sentence.toLowerCase()}"}`).toString('base64url'),
    // Half-typed words are found as well.
    '?q=zephyri and Ormolus',
  ]
  for (const form of forms) expect(wordsIn(form, words), form).toEqual(['Zephyrine', city])
  expect(wordsIn('https://localhost/users?offset=djEuAZYAnQ&segment=019660dd-ab9f', words)).toEqual([])
})

test('a whole session leaves nothing about a person in addresses, history, storages, titles and logs', async ({
  page,
  context,
  signInOnPage,
  service: api,
  own,
}) => {
  test.setTimeout(600_000)
  const user = await api.post('/users', person)
  await api.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'city', type: 'TEXT', value: city },
      { key: 'iban', type: 'TEXT', sensitive: true, value: iban },
    ],
  })
  // Without the file picker the browser downloads files at once; a test cannot answer its dialog.
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
  const traces = await traceOf(context, page)
  const main = page.getByRole('navigation', { name: 'Main' })
  const table = page.getByRole('table', { name: 'Users' })

  await test.step('the list and its search', async () => {
    await signInOnPage('admin', 'users')
    await expect(table.getByRole('row')).toHaveCount(51)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' }).click()
    await expect(table.getByRole('link', { name: person.name })).toBeVisible()
    await traces.look()
    const box = page.getByRole('searchbox', { name: 'Find users' })
    await box.fill(notFound)
    await expect(page.getByText(`No users match “${notFound}”`)).toBeVisible()
    await traces.look()
    await box.fill(found)
    await table.getByRole('link', { name: person.name }).hover()
    await traces.look()
    await table.getByRole('link', { name: person.name }).click()
    await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
    await page.goBack()
    await expect(box).toHaveValue(found)
    await page.reload()
    await expect(table.getByRole('row').nth(5)).toBeVisible()
    await traces.look()
  })

  await test.step('a user: identity, properties, a revealed value', async () => {
    await page.goto(`users/${user}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(newName)
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: newName })).toBeVisible()
    await page.getByRole('button', { name: 'Edit City' }).click()
    await page.getByRole('textbox', { name: 'Value of City' }).fill(newCity)
    await page.getByRole('button', { name: 'Reveal IBAN' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(reason)
    await traces.look()
    await page.keyboard.press('Enter')
    await expect(page.getByText(iban)).toBeVisible()
    await traces.look()
    await page.getByRole('form', { name: 'Edit City' }).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(/^City changed from/)).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('City restored')).toBeVisible()
    await traces.look()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Record as JSON' }).click()
    for (const tab of ['Record', 'Activity', 'Segments', 'Entities']) {
      await page
        .getByRole('navigation', { name: 'About this user' })
        .getByRole('link', { name: tab, exact: true })
        .click()
      await expect(page.getByRole('heading', { level: 1, name: newName })).toBeVisible()
      await traces.look()
    }
  })

  await test.step('subject access, with a reason', async () => {
    await page.goto(`users/${user}/access`)
    await page.getByRole('checkbox', { name: 'Include sensitive values' }).check()
    await page.getByRole('textbox', { name: 'Reason' }).fill(reason)
    await page.getByRole('button', { name: 'Prepare report' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ])
    await file.path()
    await traces.look()
  })

  await test.step('a new user, and one who is there already', async () => {
    for (const outcome of ['created', 'exists']) {
      await page.goto('users/new')
      await page.getByRole('textbox', { name: 'Name' }).fill(created.name)
      await page.getByLabel('E-mail').fill(created.email)
      await page.getByLabel('Ref').fill(created.ref)
      await traces.look()
      await page.getByRole('button', { name: 'Create user' }).click()
      if (outcome === 'created')
        await expect(page.getByRole('heading', { level: 1, name: created.name })).toBeVisible()
      else await expect(page.getByText('This user already exists')).toBeVisible()
      await traces.look()
    }
  })

  await test.step('a segment that asks for a name', async () => {
    await page.goto('segments/new')
    await page.getByRole('textbox', { name: 'Name' }).fill(`Named ${created.name}`)
    await page.getByText('JSON', { exact: true }).click()
    await page
      .getByLabel('Filter as JSON')
      .fill(JSON.stringify({ user: 'name', op: 'eq', value: created.name }))
    await page.getByRole('button', { name: 'Create segment' }).click()
    await page.getByRole('link', { name: 'Show 1 user' }).click()
    await expect(table.getByRole('link', { name: created.name })).toBeVisible()
    await traces.look()
  })

  await test.step('events', async () => {
    await main.getByRole('link', { name: 'Events' }).click()
    await page
      .getByRole('table', { name: 'Events' })
      .getByRole('row')
      .nth(1)
      .getByRole('link')
      .first()
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await traces.look()
  })

  await test.step('import and export', async () => {
    await page.goto('users/import')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: csvFile, mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await expect(page.getByRole('button', { name: 'Check 2 rows' })).toBeVisible()
    await traces.look()
    await page.getByRole('button', { name: 'Check 2 rows' }).click()
    await expect(page.getByRole('button', { name: 'Create 1 user' })).toBeVisible()
    await traces.look()
    await page.getByRole('button', { name: 'Create 1 user' }).click()
    await expect(page.getByRole('main').getByText('Finished')).toBeVisible()
    await traces.look()

    await page.getByRole('button', { name: 'Download the row that’s left out' }).click()
    await page.getByRole('link', { name: 'Users' }).first().click()
    await page.getByRole('link', { name: 'Export' }).click()
    await page.getByRole('button', { name: /^Export 6\d users$/ }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    await file.path()
    await traces.look()
  })

  await test.step('deleted users', async () => {
    await page.goto('users/deleted')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('textbox', { name: 'Reference, deleted by, or id', exact: true }).fill(soughtDeleted)
    await page.getByRole('button', { name: 'Show deletions', exact: true }).click()
    await expect(page.getByText(`Matches “${soughtDeleted}”`, { exact: true })).toBeVisible()
    await traces.look()
  })

  await test.step('find anywhere', async () => {
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Find anywhere' })
    await box.fill(soughtAnywhere)
    await expect(page.getByText(`Nothing matches “${soughtAnywhere}”`)).toBeVisible()
    await box.fill(newName)
    await expect(page.getByRole('option', { name: newName })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: newName })).toBeVisible()
    await traces.look()
  })

  await test.step('signing out', async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
    // Waits for the end of the redirect to the provider, which ends the provider's session as well.
    await expect(page).toHaveURL(own.url)
    await traces.look()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
    await traces.look()
  })

  // Proves that traces were collected, at least from these places.
  const places = new Set(traces.found.map(({ where }) => where))
  for (const place of [
    'address of a request',
    'history.pushState',
    'history.state',
    'title',
    'name of a file',
  ])
    expect([...places]).toContain(place)
  expect(own.log()).toContain('"route":"PATCH /api/users/:user_id"')
  const told = [
    ...traces.found,
    ...own
      .log()
      .split('\n')
      .map((text) => ({ where: 'log of the service', text })),
  ]
  expect(told.filter(({ text }) => wordsIn(text, words).length > 0)).toEqual([])
})
