import type { Page } from '@playwright/test'

/** Keeps from the page what it asks for, until it is let go. */
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

/** Requests to the service. */
export const answers = /\/api\//
