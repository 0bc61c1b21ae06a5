import type { QueryClient } from '@tanstack/react-query'
import { createBrowserRouter, type LoaderFunction, redirect, type RouteObject } from 'react-router'

import { type PageName, pages as allPages } from '#contract/page-paths.ts'
import { getConnection } from '../api/connection.ts'
import { ApiError } from '../api/index.ts'
import { firstArea, scopeLacking } from '../auth/areas.ts'
import type { Person } from '../auth/session.ts'
import { hasPage, links } from '../domain/links.ts'
import { accessRoutes } from '../features/access/routes.ts'
import { activityRoutes, Timeline } from '../features/activity/routes.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { batchRoutes } from '../features/batch/routes.ts'
import { deletedRoutes } from '../features/deleted/routes.ts'
import { dictionaryRoutes } from '../features/dictionary/routes.ts'
import { entitiesRoutes } from '../features/entities/routes.ts'
import { eventsRoutes } from '../features/events/routes.ts'
import { homeRoutes } from '../features/home/routes.ts'
import { importRoutes } from '../features/imports/routes.ts'
import { jobsRoutes } from '../features/jobs/routes.ts'
import { newUserRoutes } from '../features/new-user/routes.ts'
import { segmentsRoutes } from '../features/segments/routes.ts'
import { transferRoutes } from '../features/transfer/routes.ts'
import { userRoutes } from '../features/user/routes.ts'
import { usersListRoutes } from '../features/users-list/routes.ts'
import { webhooksRoutes } from '../features/webhooks/routes.ts'
import { shellText } from '../messages/index.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failure, WayOut } from './Failure.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { Shell } from './Shell.tsx'

/**
 * Returns the routes of all pages. A feature gives its routes as data, each with code beside a loader that awaits the
 * query, so that both load in parallel and a failed load reaches the boundary here, inside the shell.
 * @param person Returns the signed-in person; undefined if the pages are only looked up.
 */
export function pages(client: QueryClient, person?: () => Person): RouteObject[] {
  const scopes = () => person?.().scopes
  const first = () => firstArea(scopes(), getConnection().features) ?? 'users'
  const all: RouteObject[] = [
    { index: true, element: null, loader: () => redirect(links[first()]()) },
    ...homeRoutes(),
    ...usersListRoutes(client),
    ...newUserRoutes(),
    ...importRoutes(client),
    ...transferRoutes(),
    ...batchRoutes(),
    ...deletedRoutes(client),
    ...userRoutes(client, { tabs: [...entitiesRoutes(client), ...activityRoutes(client)], Timeline }),
    ...accessRoutes(client),
    ...segmentsRoutes(client),
    ...eventsRoutes(client),
    ...webhooksRoutes(client),
    ...dictionaryRoutes(client),
    ...jobsRoutes(client),
    ...auditRoutes(client),
    { path: '*', Component: UnknownPage },
  ]
  const children = withoutFullOnly(all.map((route) => refusing(route, scopes)))
  return [
    {
      element: <Shell pages={children} />,
      ErrorBoundary: Failure,
      children: [{ ErrorBoundary: Failure, HydrateFallback: PageSkeleton, children }],
    },
  ]
}

/** Refuses a page to a role that may not see its area before it asks anything, as the service would. */
function refusing(route: RouteObject, scopes: () => Person['scopes'], path = route.path ?? ''): RouteObject {
  const { loader, lazy, children } = route
  const guard =
    (load: LoaderFunction): LoaderFunction =>
    (...args) => {
      const detail = scopeLacking(path, scopes())
      if (detail !== undefined) throw new ApiError({ status: 403, detail })
      return load(...args)
    }
  const code = typeof lazy === 'object' ? lazy : {}
  const { loader: lazyLoader } = code
  return {
    ...route,
    ...(lazyLoader
      ? { lazy: { ...code, loader: async () => guard((await lazyLoader()) as LoaderFunction) } }
      : { loader: guard(typeof loader === 'function' ? loader : () => null) }),
    ...(children && { children: children.map((child) => refusing(child, scopes, path)) }),
  } as RouteObject
}

/** Removes the pages that a service without additions lacks; their addresses are then unknown. */
function withoutFullOnly(routes: RouteObject[]): RouteObject[] {
  const names = Object.keys(allPages) as PageName[]
  const lacking = new Set<string>(names.filter((name) => !hasPage(name)).map((name) => allPages[name].path))
  return routes.map((route): RouteObject => {
    const { path = '', children } = route
    if (lacking.has(path)) return { path, Component: UnknownPage }
    if (route.index === true || !children) return route
    return { ...route, children: children.filter((child) => !lacking.has(child.path ?? '')) }
  })
}

export function createRouter(client: QueryClient, basename: string, person: () => Person) {
  return createBrowserRouter(pages(client, person), { basename })
}

function UnknownPage() {
  const { unknownPageTitle, unknownPageBody } = shellText.failure
  return (
    <>
      <PageHeader title={unknownPageTitle} />
      <EmptyState title={unknownPageBody} action={<WayOut />} underHeading />
    </>
  )
}
