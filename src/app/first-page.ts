import type { createBrowserRouter } from 'react-router'

type Router = ReturnType<typeof createBrowserRouter>

const shown = Promise.withResolvers<void>()

/** Resolves when the first page stands, or could not be shown: what is fetched for later does not take the line from it. */
export const firstPage = shown.promise.then(settle)

/** There is time for the page's own font (src/ui/fonts.css). */
export function settle() {
  delete document.documentElement.dataset['arriving']
}

export function watchFirstPage(router: Router): void {
  const look = ({ initialized }: Router['state']) => {
    if (!initialized) return
    stop()
    // Once it is painted. Not every browser has the call.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => shown.resolve())
    else setTimeout(shown.resolve, 200)
  }
  const stop = router.subscribe(look)
  look(router.state)
}
