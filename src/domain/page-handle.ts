import type { Params } from 'react-router'

import type { Scope } from '#contract/index.ts'

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
