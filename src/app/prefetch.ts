import { useEffect, useEffectEvent } from 'react'
import { matchRoutes, type RouteObject, useHref, useLocation } from 'react-router'

import { usePerson } from '../auth/use-session.ts'
import type { PageHandle } from '../domain/page-route.ts'

/** Time for which the mouse must rest on a link; a shorter rest counts as passing over it. */
const linkRestMs = 90

/** Prefetches code and data of the page whose link or row has the mouse or the focus, unless the browser saves data. */
export function usePrefetch(pages: RouteObject[]): void {
  const shown = matchRoutes(pages, useLocation().pathname) ?? []
  const basename = useHref('/')
  const { scopes } = usePerson()
  const fetchPage = useEffectEvent((link: HTMLAnchorElement) => {
    if (savesData()) return
    const coming = matchRoutes(pages, link.pathname, basename) ?? []
    for (const { route, params } of coming.filter(
      (each, depth) => each.pathname !== shown[depth]?.pathname,
    )) {
      const { prefetch } = (route.handle ?? {}) as PageHandle
      const code = typeof route.lazy === 'object' ? Object.values(route.lazy).map((load) => load?.()) : []
      // The navigation itself meets and reports the failure again.
      void Promise.allSettled([
        ...code,
        ...(prefetch?.(params, (scope) => scopes?.has(scope) !== false) ?? []),
      ])
    }
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last: HTMLAnchorElement | null = null
    const rest = ({ target }: Event) => {
      const row = (target as Element).closest('tr')?.querySelector<HTMLAnchorElement>('a[data-row-link]')
      const link = (target as Element).closest<HTMLAnchorElement>('a[href]') ?? row ?? null
      if (link === last) return
      last = link
      clearTimeout(timer)
      if (link?.origin === location.origin) timer = setTimeout(fetchPage, linkRestMs, link)
    }
    const listening = new AbortController()
    for (const type of ['mouseover', 'focusin']) document.addEventListener(type, rest, listening)
    return () => listening.abort(clearTimeout(timer))
  }, [])
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches
}
