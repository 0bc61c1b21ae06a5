import { useEffect, useEffectEvent } from 'react'
import { matchRoutes, type RouteObject, useHref, useLocation, useNavigation } from 'react-router'

import type { Scope } from '#contract/index.ts'
import { usePerson } from '../auth/use-session.ts'
import { firstNew, handleOf } from './next-page.ts'
import { loadCode } from './load-code.ts'
import { createWishes } from './wishes.ts'

/** Sent by a link that is as good as pointed at: the one of a list that Enter would follow. */
const reached = 'ds-reached'

export function sendReached(link: Element | null): void {
  link?.dispatchEvent(new Event(reached, { bubbles: true }))
}

/**
 * Fetches the page of a link that the mouse rests on, or that has the focus: its code, and what its route gives as
 * `prefetch`. A finger that scrolls wishes for nothing, and who saves data is asked for none.
 */
export function usePrefetch(pages: RouteObject[]): void {
  const { pathname } = useLocation()
  const basename = useHref('/')
  const isUnderWay = useNavigation().state !== 'idle'
  const { scopes } = usePerson()
  const fetchAhead = useEffectEvent(async (link: HTMLAnchorElement) => {
    if (isUnderWay || !link.isConnected || link.origin !== location.origin || savesData()) return
    const coming = matchRoutes(pages, link.pathname, basename) ?? []
    const depth = firstNew(coming, matchRoutes(pages, pathname) ?? [])
    if (depth === -1) return
    const may = (scope: Scope) => scopes?.has(scope) !== false
    const added = coming.slice(depth)
    await Promise.allSettled([
      ...added.map(({ route }) => loadCode(route)),
      ...added.flatMap(({ route, params }) => handleOf(route).prefetch?.(params, may) ?? []),
    ])
  })
  useEffect(() => {
    const wishes = createWishes()
    let at = ''
    const hold = (target: EventTarget | null) => {
      const link = linkAt(target)
      wishes.hold(link && { key: link.href, fulfil: () => fetchAhead(link) })
    }
    const onMove = ({ target, pointerType, buttons, clientX, clientY }: PointerEvent) => {
      // A row that moves under a mouse at rest is no wish to see it.
      const isStill = at === `${clientX} ${clientY}`
      at = `${clientX} ${clientY}`
      if (pointerType !== 'touch' && buttons === 0 && !isStill) hold(target)
    }
    const onFocus = ({ target }: FocusEvent) => {
      // Not for what a press or the page itself has focused.
      if (target instanceof Element && target.matches(':focus-visible')) hold(target)
    }
    const release = () => wishes.hold(undefined)
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('pointermove', onMove, { signal, passive: true })
    document.addEventListener('focusin', onFocus, { signal })
    document.addEventListener(reached, ({ target }) => hold(target), { signal })
    document.addEventListener('scroll', release, { signal, passive: true, capture: true })
    document.documentElement.addEventListener('pointerleave', release, { signal })
    return () => {
      listening.abort()
      release()
    }
  }, [])
}

/** The link itself, or the one that a row of a table leads to. */
function linkAt(target: EventTarget | null): HTMLAnchorElement | undefined {
  if (!(target instanceof Element)) return undefined
  const row = () => target.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-row-link]')
  return target.closest<HTMLAnchorElement>('a[href]') ?? row() ?? undefined
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches
}
