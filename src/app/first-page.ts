import type { createBrowserRouter } from 'react-router'

import { painted } from '../api/wait.ts'

const shown = Promise.withResolvers<void>()

/** Resolves when the first page is shown or has failed, so that later requests do not compete with it. */
export const firstPage = shown.promise

/** Resolves when the code and the data of the first page are loaded. */
export function watchFirstPage(router: ReturnType<typeof createBrowserRouter>): Promise<void> {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (router.state.initialized) resolve()
  }
  const stop = router.subscribe(look)
  look()
  void ready.then(stop).then(painted).then(shown.resolve)
  return ready
}
