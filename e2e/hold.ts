import type { Page } from '@playwright/test'

/** Holds back the matching requests of the page until `letGo` is called; `asked` resolves with the first one. */
export async function hold(page: Page, what: RegExp): Promise<{ asked: Promise<void>; letGo: () => void }> {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(what, async (route) => {
    asked.resolve()
    await released.promise
    await route.fallback()
  })
  return { asked: asked.promise, letGo: released.resolve }
}

/** Requests to the service's API. */
export const answers = /\/api\//
