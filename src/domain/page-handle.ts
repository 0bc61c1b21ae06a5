import type { Params } from 'react-router'

import type { Scope } from '#contract/index.ts'

/** Facts about a page that its route may give as `handle`. */
export interface PageHandle {
  /** Becomes the document's title. Never personal data. */
  readonly title?: string
  /**
   * Reads ahead what the page will read, for somebody who seems about to go there and perhaps does not: nothing that
   * takes long, and nothing whose reading is recorded, as that of sensitive values is.
   */
  readonly prefetch?: (params: Params, may: (scope: Scope) => boolean) => readonly Promise<unknown>[]
}
