import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'

import { startReceiver } from '#server/testing/receiver.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('a webhook from its creation to its deletion: signed, tested, paused, recovered @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const receiver = await startReceiver()
  const { host } = new URL(receiver.url)
  try {
    await signIn('admin', 'webhooks')
    await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill('https://192.168.0.1/hooks')
    await page.getByLabel('Only these').check()
    await page.getByLabel('User created').check()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await expect(page.getByText(/private network/)).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Create webhook' }).click()

    await expect(page.getByRole('heading', { level: 1, name: `${host} created` })).toBeVisible()
    await expectAccessible(page)
    const secret = (await page.getByLabel('Signing secret', { exact: true }).textContent()) ?? ''
    await page.getByRole('button', { name: 'I’ve stored the secret' }).click()
    await expect(page.getByRole('heading', { level: 1, name: host, exact: true })).toBeVisible()
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), history.state]),
    )
    expect(kept).not.toContain(secret)

    await page.getByRole('button', { name: 'Send test' }).click()
    await expect(page.getByRole('main').getByText('The test was delivered')).toBeVisible()
    const [sent] = receiver.received
    const headers = sent?.headers as Record<string, string>
    expect(new Webhook(secret).verify(sent?.text ?? '', headers)).toMatchObject({ type: 'WEBHOOK_TEST' })

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Pause webhook' }).click()
    const paused = page
      .getByRole('note')
      .filter({ hasText: 'New events aren’t queued while the webhook is paused.' })
    await expect(paused).toContainText(/Since .*\d\d:\d\d/)
    const missed = await service.post('/users', { name: 'Missed by the webhook' })
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByRole('main').getByText('1 event was missed')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Resend them' }).click()
    await expect(page.getByText('1 event would be resent.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Resend 1 event' }).click()
    await expect(page.getByText('No events are waiting.')).toBeVisible()
    expect(receiver.received.map(({ text }) => JSON.parse(text) as object)).toMatchObject([
      { type: 'WEBHOOK_TEST' },
      { type: 'USER_CREATED', data: { user: missed } },
    ])

    await page.getByRole('link', { name: 'View webhook' }).click()
    const attempts = page.getByRole('table', { name: 'Recent delivery attempts' })
    await expect(attempts.getByRole('link')).toHaveText(['User created', 'Webhook tested'])
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(host)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
    await expect(page.getByText(`${host} deleted`)).toBeVisible()
  } finally {
    await receiver.close()
  }
})

test('a receiver that wants no more events stops the webhook, and the page says why', async ({
  page,
  signIn,
}) => {
  const receiver = await startReceiver(() => 410)
  const { host } = new URL(receiver.url)
  try {
    await signIn('integrator', 'webhooks/new')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: 'I’ve stored the secret' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    await expect(page.getByText('Stopped: the receiver wants no more events')).toBeVisible()
    await expectAccessible(page)
    await navigation(page).getByRole('link', { name: 'Webhooks' }).click()
    await expect(page.getByRole('row', { name: host })).toContainText('Stopped')
    await expect(
      navigation(page).getByRole('link', { name: /^Webhooks \(\d+ needs? attention\)$/ }),
    ).toBeVisible()
  } finally {
    await receiver.close()
  }
})

test('a colleague who may not manage webhooks sees why', async ({ page, signIn }) => {
  await signIn('support', 'segments')
  const entry = navigation(page).getByRole('link', { name: 'Webhooks' })
  await expect(entry).toHaveAttribute('aria-disabled', 'true')
  await entry.hover()
  await expect(page.getByText('Your role can’t see or change webhooks.')).toBeVisible()
})
