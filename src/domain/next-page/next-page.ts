import { type ComponentType, createContext } from 'react'
import { type Params, useLocation, useMatches, useParams } from 'react-router'

import type { Scope } from '#contract/index.ts'

/** What a route may say about its page, as its `handle`. */
export interface PageHandle {
  /** Becomes the document's title. Never personal data. */
  readonly title?: string
  /** The name of the `PageOutlet` that shows the pages below the route's own. */
  readonly outlet?: string
  /**
   * Reads ahead what the page will read, for somebody who seems about to go there and perhaps does not: nothing that
   * takes long, and nothing whose reading is recorded, as that of sensitive values is.
   */
  readonly prefetch?: (params: Params, may: (scope: Scope) => boolean) => readonly Promise<unknown>[]
}

/** A page that was asked for and takes long to come. */
export interface NextPage {
  /** The name of the `PageOutlet` whose page is left for it; absent: both pages are in one that has no such outlet. */
  readonly outlet: string | undefined
  /** Below the console's address, as in `links`. */
  readonly pathname: string
  readonly params: Params
  readonly title: string | undefined
  readonly Skeleton: ComponentType<SkeletonProps> | undefined
  /** Of what the page itself shows below its own head. */
  readonly InnerSkeleton: ComponentType<SkeletonProps> | undefined
}

/** A skeleton stands for the next page, or for the first one, whose route is then the one on screen. */
export interface SkeletonProps {
  readonly next?: NextPage
}

export const NextPageContext = createContext<NextPage | undefined>(undefined)

/** What is known of the page that a skeleton stands for. */
export function useComingPage(next: NextPage | undefined): Pick<NextPage, 'pathname' | 'params' | 'title'> {
  const { pathname } = useLocation()
  const params = useParams()
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  return next ?? { pathname, params, title: handle?.title }
}
