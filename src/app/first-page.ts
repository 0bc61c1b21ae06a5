import type { createBrowserRouter } from 'react-router'

import { painted, wait } from '../api/wait.ts'

type Router = ReturnType<typeof createBrowserRouter>

const shown = Promise.withResolvers<void>()

/** Resolves when the first page stands, or could not be shown: what is fetched for later does not take the line from it. */
export const firstPage = standing()

async function standing() {
  await shown.promise
  settle()
  // Not before it is drawn: the frame of `index.html` stands until then.
  delete document.documentElement.dataset['skeleton']
}

/** There is time for the page's own font (src/ui/fonts.css). */
export function settle() {
  delete document.documentElement.dataset['arriving']
}

/** Longer than this a page that has only its frame, painted from HTML, does not stay so. */
const frameMs = 500

/** Resolves when the code and the data of the first page are there. */
export function watchFirstPage(router: Router): Promise<void> {
  const ready = new Promise<void>((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
    if (router.state.initialized) resolve()
  })
  void ready.then(painted).then(shown.resolve)
  return ready
}

/**
 * When to draw over the frame that the page brought: with the first page, and in one go. To draw the frame itself and its
 * skeleton once more first would take as long as the page.
 */
export function timeToDraw(ready: Promise<void>): Promise<void> {
  return document.querySelector('[data-frame]') ? Promise.race([ready, wait(frameMs)]) : Promise.resolve()
}
