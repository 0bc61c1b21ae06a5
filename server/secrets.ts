import { hkdfSync } from 'node:crypto'

import type { MasterKey } from './config.ts'

/** Keys for one purpose each, derived from the first master key: 32 bytes. */
export interface Secrets {
  readonly invitation: Buffer
  readonly paging: Buffer
  readonly search: Buffer
  readonly etag: Buffer
  readonly idempotency: Buffer
}

/** RFC 5869. One leaked purpose tells nothing of another, nor of the master key. */
export function deriveSecrets({ key }: MasterKey): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `data-store ${purpose}`, 32))
  return {
    invitation: derive('invitation'),
    paging: derive('paging'),
    search: derive('search'),
    etag: derive('etag'),
    idempotency: derive('idempotency'),
  }
}
