import { enter, expect } from './fixtures.ts'
import { startOwnService } from './own-service.ts'
import {
  expectKept,
  expectNoTokenUsedTwice,
  heading,
  holdCode,
  lockDialog,
  openTab,
  signedOut,
  signOut,
  unlock,
  test,
} from './sessions.ts'

for (const mode of ['tab', 'memory'] as const)
  test(`a session kept in ${mode}: two tabs, reload, renewal, lock, sign-out`, async ({
    page,
    context,
    signIn,
    provider,
  }) => {
    const own = mode === 'memory' ? await startOwnService({ SESSION: mode }) : undefined
    const at = (path: string) => (own?.url ?? '') + path
    await context.clock.install()
    const kept = mode === 'tab' ? 'the session' : 'nothing'
    let other = page
    const both = () => [page, other]

    try {
      await test.step('signing in', async () => {
        await signIn('steward', at('segments'))
        await expectKept(page, provider, kept)
        expect(provider.visits).toBe(1)
      })

      await test.step('a second tab', async () => {
        other = await openTab(context, at('users'))
        await expect(heading(other, 'Users')).toBeVisible()
        await expect(other.getByRole('button', { name: 'Account: Data steward' })).toBeVisible()
        expect(provider.visits).toBe(mode === 'tab' ? 1 : 2)
        for (const tab of both()) await expectKept(tab, provider, kept)
      })

      await test.step('reload', async () => {
        await page.reload()
        await expect(heading(page, 'Segments')).toBeVisible()
        // The heading is in the static frame already; the account button only appears with the session.
        await expect(page.getByRole('button', { name: 'Account: Data steward' })).toBeVisible()
        expect(provider.visits).toBe(mode === 'tab' ? 1 : 3)
        for (const tab of both()) await expectKept(tab, provider, kept)
      })

      await test.step('renewal', async () => {
        expect(provider.used).toEqual([])
        const before = provider.issued.length
        // Tokens expire after five minutes.
        await context.clock.fastForward('04:45')
        await expect.poll(() => provider.issued.length).toBe(before + (mode === 'tab' ? 1 : 2))
        for (const tab of both()) await expectKept(tab, provider, kept)
      })

      await test.step('lock', async () => {
        await context.clock.fastForward('15:00')
        for (const tab of both()) {
          await expect(lockDialog(tab)).toBeVisible()
          await expectKept(tab, provider, 'nothing')
        }
      })

      await test.step('unlock', async () => {
        await unlock(page, 'steward')
        await expect(lockDialog(page)).toBeHidden()
        await expectKept(page, provider, kept)
        // The person has just authenticated, so the sign-in window closes by itself.
        if (mode === 'memory') await lockDialog(other).getByRole('button', { name: 'Sign in again' }).click()
        await expect(lockDialog(other)).toBeHidden()
        await expectKept(other, provider, kept)
      })

      await test.step('sign-out', async () => {
        await signOut(other)
        for (const tab of both()) {
          await expect(signedOut(tab)).toBeVisible()
          await expectKept(tab, provider, 'nothing')
          await tab.reload()
          await expect(signedOut(tab)).toBeVisible()
        }
        await other.getByRole('button', { name: 'Sign in' }).click()
        await expect(other.getByLabel('User name')).toBeVisible()
        expectNoTokenUsedTwice(provider)
      })
    } finally {
      await own?.close()
    }
  })

test('a new tab has the session of another one, also once the first one is closed; a reload asks the provider nothing', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  await signIn('support', 'users')
  const asked: string[] = []
  context.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const second = await openTab(context, 'segments')
  await expect(heading(second, 'Segments')).toBeVisible()
  await page.close()
  await second.reload()
  await expect(heading(second, 'Segments')).toBeVisible()
  const third = await openTab(context, 'users')
  await expect(third.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)).toBeVisible()
  await second.close()
  await third.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' }).click()
  await expect(third.getByText('51–100 of')).toBeVisible()
  const place = third.url()
  await third.reload()
  await expect(third.getByText('51–100 of')).toBeVisible()
  expect(third.url()).toBe(place)
  expect(provider.visits).toBe(1)
  expect(asked.filter((path) => path.startsWith('/oidc'))).toEqual([])
})

test('a duplicated tab has a copy of the storage; both continue, and renew once', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  await context.clock.install()
  await signIn('steward', 'segments')
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => void open('users'))
  const copy = await opening
  await expect(heading(copy, 'Users')).toBeVisible()
  for (const count of [1, 2]) {
    // A tab that is still loading does not learn of a renewal in another tab.
    const code = await holdCode(copy)
    await copy.reload({ waitUntil: 'commit' })
    await code.asked
    await context.clock.fastForward('04:45')
    await expect.poll(() => provider.issued.length).toBe(1 + count)
    code.letGo()
    await expect(heading(copy, 'Users')).toBeVisible()
    await expectKept(copy, provider, 'the session')
    await page.reload()
    await expect(heading(page, 'Segments')).toBeVisible()
  }
  for (const tab of [page, copy]) await expectKept(tab, provider, 'the session')
  expect(provider.used).toHaveLength(2)
  expectNoTokenUsedTwice(provider)
  expect(provider.visits).toBe(1)
})

test('three tabs renew once', async ({ page, context, signIn, provider }) => {
  await context.clock.install()
  await signIn('steward', 'segments')
  const others = [await openTab(context, 'users'), await openTab(context, 'events')]
  await expect(heading(others[1] ?? page, 'Events')).toBeVisible()
  await context.clock.fastForward('04:45')
  await expect.poll(() => provider.issued.length).toBe(2)
  for (const tab of [page, ...others]) await expectKept(tab, provider, 'the session')
  expect(provider.used).toHaveLength(1)
})

test('two people at one machine: the second one is asked who he is, and finds nothing of the first', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  await signIn('support', 'users')
  const other = await openTab(context, 'segments')
  await expect(heading(other, 'Segments')).toBeVisible()
  await signOut(page)
  for (const tab of [page, other]) await expect(signedOut(tab)).toBeVisible()
  const loads: string[] = []
  for (const tab of [page, other]) tab.on('domcontentloaded', () => loads.push(tab.url()))
  const fresh = await openTab(context, 'users')
  await enter(fresh, 'admin')
  await expect(fresh.getByRole('button', { name: 'Account: Administrator' })).toBeVisible()
  // Tabs of the first session do not join the session of the second person.
  for (const tab of [page, other]) {
    await expect(signedOut(tab)).toBeVisible()
    await expectKept(tab, provider, 'nothing')
  }
  expect(loads, 'a tab that has nothing to lose is reloaded').toEqual([])
})
