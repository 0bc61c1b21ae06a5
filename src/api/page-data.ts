import type { Features } from './connection.ts'

/** First answers that a console needs, which our service writes into the page. Other servers write none. */
export interface PageData {
  /** The content of `config.json`. */
  readonly settings?: unknown
  readonly features?: Features
  /** The issuer's metadata (OpenID Connect Discovery); undefined until the service has fetched it. */
  readonly provider?: Readonly<Record<string, unknown>>
}

export function readPageData(): PageData {
  const block = document.querySelector('script#prefetched')
  return block ? (JSON.parse(block.textContent) as PageData) : {}
}
