import type { Features } from './connection.ts'

/** What a console asks for first, as our service writes it into the page; a page of another server has none of it. */
export interface Ahead {
  /** The content of `config.json`. */
  readonly settings?: unknown
  readonly features?: Features
  /** What the issuer says of itself (OpenID Connect Discovery), once the service has heard it. */
  readonly provider?: Readonly<Record<string, unknown>>
}

export function readAhead(): Ahead {
  const block = document.querySelector('script#ahead')
  return block ? (JSON.parse(block.textContent) as Ahead) : {}
}
