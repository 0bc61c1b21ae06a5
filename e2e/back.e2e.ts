import { expect, test } from './fixtures.ts'

// Playwright disables the back/forward cache, so Back would reload the page; this enables it, as in real browsers.
// Chromium's headless shell has no such cache.
test.use({
  launchOptions: async ({ launchOptions }, provide) =>
    provide({
      ...launchOptions,
      ...(process.env.WHOLE_CHROMIUM_PATH && { executablePath: process.env.WHOLE_CHROMIUM_PATH }),
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
})

test('a page that Back brings from the cache is blank until it is read again; after signing out it stays away', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const name = `Quillfeather ${crypto.randomUUID().slice(0, 8)}`
  const user = await service.post('/users', { name })
  const restored: string[] = []
  await context.exposeFunction('noteRestored', (text: string) => restored.push(text))
  await context.addInitScript(() => {
    const { noteRestored } = globalThis as unknown as { noteRestored: (text: string) => void }
    // Records the text before the page handles the event, and then in every frame until the page is gone.
    const look = () => {
      noteRestored(document.body.innerText)
      requestAnimationFrame(look)
    }
    addEventListener('pageshow', ({ persisted }) => persisted && look(), { capture: true })
  })
  const heading = page.getByRole('heading', { level: 1, name })
  const leaveWithDialog = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete user…' }).click()
    await expect(page.getByRole('dialog')).toContainText(name)
    await page.goto('segments')
    await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
  }
  await signIn('steward', `users/${user}`)
  await leaveWithDialog()
  await page.goBack()
  await expect.poll(() => restored.length, 'the browser keeps the page').toBeGreaterThan(0)
  await expect(heading).toBeVisible()
  expect(restored.filter((text) => text !== '')).toEqual([])

  restored.length = 0
  await leaveWithDialog()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
  await expect(page).not.toHaveURL(/segments|oidc/)
  // The sign-out message, sent to all tabs, also discards pages in the back/forward cache; a page that is restored
  // nevertheless must be blank.
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
  expect(page.url()).toContain(user)
  expect(restored.filter((text) => text !== '')).toEqual([])
})
