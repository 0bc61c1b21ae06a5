import type { createBrowserRouter } from 'react-router'

const shown = Promise.withResolvers<void>()

/** Resolves when the first page stands, or could not be shown: what is fetched for later does not take the line from it. */
export const firstPage = shown.promise

export function watchFirstPage({ state, subscribe }: ReturnType<typeof createBrowserRouter>): void {
  const look = ({ initialized }: typeof state) => {
    if (!initialized) return
    stop()
    // Once it is painted. Not every browser has the call.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => shown.resolve())
    else setTimeout(shown.resolve, 200)
  }
  const stop = subscribe(look)
  look(state)
}
