import { expect, test } from './fixtures.ts'

test('violations of the page policy are noticed, in every window, even if the page catches them', async ({
  page,
  context,
  signInOnPage,
  faults,
}) => {
  await signInOnPage('admin', 'segments')
  await page.evaluate(() => {
    for (const inject of [
      () => (document.createElement('p').innerHTML = '<b>bold</b>'),
      () => document.head.append(document.createElement('style')),
      () => void fetch('https://elsewhere.example/').catch(() => {}),
    ])
      try {
        inject()
      } catch {
        // Libraries swallow this error too, and then try another way.
      }
  })
  const directives = () =>
    faults.filter((fault) => / forbids /.test(fault)).map((fault) => fault.split(' ')[0])
  await expect
    .poll(() => new Set(directives()))
    .toEqual(new Set(['connect-src', 'require-trusted-types-for', 'style-src-elem']))
  faults.length = 0

  const other = await context.newPage()
  await other.goto('segments')
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await other.evaluate(() => {
    document.body.append(Object.assign(document.createElement('img'), { src: 'https://elsewhere.example/' }))
  })
  await expect.poll(directives).toEqual(['img-src'])
  faults.length = 0
})

test('a policy that lacks what the console needs fails its journeys', async ({
  page,
  signInOnPage,
  faults,
}) => {
  await page.route('**/segments', async (route) => {
    const answer = await route.fetch()
    const headers = answer.headers()
    const policy = headers['content-security-policy']?.replace("style-src 'self'", "style-src 'none'")
    await route.fulfill({
      response: answer,
      headers: { ...headers, 'content-security-policy': policy ?? '' },
    })
  })
  await signInOnPage('admin', 'segments')
  await page.goto('segments')
  await expect.poll(() => faults.join()).toContain('style-src-elem forbids')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // The page keeps loading, and each of its styles violates the policy; closing it ends the reports.
  await page.close()
  faults.length = 0
})
