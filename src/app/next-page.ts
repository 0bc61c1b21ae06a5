import { type ComponentType, useEffect, useMemo, useState } from 'react'
import { matchRoutes, type RouteObject, useHref, useLocation, useNavigation } from 'react-router'

import type { NextPage, PageHandle, SkeletonProps } from '../domain/next-page/next-page.ts'
import { PageSkeleton } from './PageSkeleton.tsx'

/** A page that comes sooner takes the place of the one before it without a skeleton in between. */
const lateMs = 150

/** The name of the outlet in the shell. */
export const shellOutlet = 'shell'

/** The page that a navigation leads to, once it has let wait for itself; not for another state of the page on screen. */
export function useNextPage(pages: RouteObject[]): NextPage | undefined {
  const { pathname } = useLocation()
  const to = useNavigation().location?.pathname
  const basename = useHref('/')
  const isUnderWay = to !== undefined
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = setTimeout(() => setLate(true), lateMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isUnderWay])
  const next = useMemo(
    () => (isLate && to !== undefined ? nextPage(pages, pathname, to, basename) : undefined),
    [isLate, pages, pathname, to, basename],
  )
  useWayBack(next && to)
  return next
}

let onStep: ((event: PopStateEvent) => void) | undefined

/** Before the router is made: a window's listeners are called in their order, and this one has to hear of a step first. */
export function watchSteps(): void {
  addEventListener('popstate', (event) => onStep?.(event))
}

/**
 * Back from a skeleton leads to the page that was left. The browser has no entry of its own for what is still on its
 * way, and would leave that page as well: its step is taken back, and the router finds itself where it is.
 *
 * @param to Where the way leads to, while its skeleton is shown.
 */
function useWayBack(to: string | undefined): void {
  useEffect(() => {
    // A step through the history has its entry already.
    if (to === undefined || to === window.location.pathname) return undefined
    const here = indexOf(window.history.state)
    const giveUp = (event: PopStateEvent) => {
      if (here === undefined || indexOf(event.state) !== here - 1) return
      event.stopImmediatePropagation()
      window.history.go(1)
    }
    onStep = giveUp
    return () => {
      onStep = undefined
    }
  }, [to])
}

/** Of an entry of the history, as the router counts them. */
function indexOf(state: unknown): number | undefined {
  return (state as { readonly idx?: number } | null)?.idx
}

/** @param to With the basename, as the browser and `useNavigation` have it. */
export function nextPage(
  pages: RouteObject[],
  from: string,
  to: string,
  basename: string,
): NextPage | undefined {
  const coming = matchRoutes(pages, to, basename) ?? []
  const depth = firstNew(coming, matchRoutes(pages, from) ?? [])
  const first = coming[depth]
  const last = coming.at(-1)
  if (!first || !last) return undefined
  const outlet = depth === 0 ? shellOutlet : handleOf(coming[depth - 1]?.route).outlet
  const skeletons = coming.slice(depth + 1).map(({ route }) => skeletonOf(route))
  return {
    outlet,
    pathname: last.pathname,
    params: last.params,
    title: coming.map(({ route }) => handleOf(route).title).findLast((title) => title !== undefined),
    Skeleton: skeletonOf(first.route) ?? (depth === 0 ? PageSkeleton : undefined),
    InnerSkeleton: skeletons.findLast((each) => each !== undefined),
  }
}

type Matches = NonNullable<ReturnType<typeof matchRoutes>>

/** Where the way to a page leaves that to another: the first route that is not on screen yet; -1: there is none. */
export function firstNew(coming: Matches, shown: Matches): number {
  return coming.findIndex(
    ({ route, pathname }, depth) => route !== shown[depth]?.route || pathname !== shown[depth].pathname,
  )
}

/** What a route says about its page. */
export function handleOf(route: RouteObject | undefined): PageHandle {
  return (route?.handle ?? {}) as PageHandle
}

/** What stands for a route's page while that is the first one stands for it later, too. */
function skeletonOf({ HydrateFallback }: RouteObject) {
  return (HydrateFallback ?? undefined) as ComponentType<SkeletonProps> | undefined
}
