import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement } from 'react'
import type {
  LoaderFunction,
  LoaderFunctionArgs,
  NonIndexRouteObject,
  Params,
  RouteObject,
} from 'react-router'

import type { Scope } from '#contract/index.ts'
import { pages } from '#contract/page-paths.ts'
import { ApiError } from '../api/index.ts'
import { shellText } from '../messages/index.ts'
import { listSkeleton, type ListSkeletonProps } from '../ui/ListSkeleton.tsx'
import { useLabels } from './labels.ts'
import { userQuery } from './queries/users.ts'

/** Metadata that a page's route may provide as `handle`. */
export interface PageHandle {
  /** Title of the document. Must not contain personal data. */
  readonly title?: string
  /**
   * Prefetches the page's data for a person who may be about to open it. Must not send slow requests, or requests that
   * are recorded, such as reads of sensitive values.
   */
  readonly prefetch?: (params: Params, may: (scope: Scope) => boolean) => readonly Promise<unknown>[]
}

const { recoverEvents, ...pageTitles } = shellText.pages
const titles = { ...pageTitles, recoverWebhook: recoverEvents }

interface PageRouteOptions
  extends
    Pick<PageHandle, 'prefetch'>,
    Pick<NonIndexRouteObject, 'children' | 'HydrateFallback' | 'loader' | 'shouldRevalidate'> {
  /** Loads the page's data into the cache. `loader` is for a page that reads what its loader returns. */
  readonly load?: (args: LoaderFunctionArgs) => Promise<unknown>
  /** Placeholder of a page with a table, until the first data has loaded. */
  readonly skeleton?: Omit<ListSkeletonProps, 'title'>
  /** Code that loads beside the component. */
  readonly lazy?: {
    readonly ErrorBoundary?: () => Promise<ComponentType>
    readonly loader?: () => Promise<LoaderFunction>
  }
}

/**
 * Returns the route of a page: its address and title, and its code, which loads beside its data. Makes new objects on
 * each call, because a router mutates them.
 */
export function pageRoute(
  name: keyof typeof titles,
  Component: () => Promise<ComponentType>,
  { prefetch, load, lazy, skeleton, ...rest }: PageRouteOptions = {},
): RouteObject {
  return {
    path: pages[name].path,
    handle: { title: titles[name], ...(prefetch && { prefetch }) } satisfies PageHandle,
    lazy: { Component: async () => labelled(await Component()), ...lazy },
    ...(skeleton && { HydrateFallback: listSkeleton({ title: titles[name], ...skeleton }) }),
    ...(load && {
      loader: async (args: LoaderFunctionArgs) => {
        await load(args)
        return true
      },
    }),
    ...rest,
  }
}

/** Renders a page again when the labels of properties arrive or change. */
function labelled(Page: ComponentType): ComponentType {
  return function LabelledPage() {
    useLabels()
    return createElement(Page)
  }
}

/** Options of a loader that waits only for data missing from the cache. The page refreshes cached data itself. */
export const keepCached = { staleTime: 'static' } as const
/** Options of a loader that waits for a fresh answer on every visit, whatever is cached. */
export const refetch = { staleTime: 0 } as const
/** Starts a request before a page needs its data. The page that uses the data handles a failure. */
export const prefetch = (query: Promise<unknown>) => void query.catch(() => undefined)

export function isRefused(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status
}

export interface UserLoad {
  readonly exists: boolean
}

/** Loads a user. The page handles a missing user; the app shell handles every other failure. */
export async function loadUser(client: QueryClient, userId: string): Promise<UserLoad> {
  try {
    await client.query({ ...userQuery(userId), ...keepCached })
    return { exists: true }
  } catch (error) {
    if (isRefused(error, 404)) return { exists: false }
    throw error
  }
}
