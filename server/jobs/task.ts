import { hkdfSync } from 'node:crypto'

import type { BatchProperty } from '#contract/index.ts'
import { openValue, sealValue } from '../sealing/encryption.ts'

/** Which property a job sets, and for whom: as rows hold it in the open. */
export interface Asked extends Omit<BatchProperty, 'value'> {
  /** Absent: users who were named, or found by a filter. */
  readonly segment?: string | undefined
}

/** Input that people type, which may be personal data. */
export interface Typed {
  readonly value: unknown
  readonly reason?: string | undefined
}

type IndexKey = () => Buffer

/** A job belongs to no user, so what it holds is sealed under a key of the service. */
export function sealTyped(indexKey: IndexKey, job: string, typed: Typed): string {
  return sealValue(keyOf(indexKey), placeOf(job), typed)
}

export function openTyped(indexKey: IndexKey, job: string, sealed: string): Typed {
  return openValue(keyOf(indexKey), placeOf(job), sealed) as Typed
}

const placeOf = (job: string) => ({ user: job, key: 'asked', type: 'job' })

function keyOf(indexKey: IndexKey): Buffer {
  return Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store jobs', 32))
}
