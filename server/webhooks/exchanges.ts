import { hkdfSync } from 'node:crypto'

import type { IndexKey } from '../sealing/data-keys.ts'
import { openValue, sealValue } from '../sealing/encryption.ts'

/** Request and response of an attempt. */
export interface Exchange {
  readonly request: { readonly headers: ExchangeHeaders }
  /** Undefined if no response came. */
  readonly response?: { readonly headers: ExchangeHeaders; readonly body: string; readonly truncated?: true }
}

export type ExchangeHeaders = Readonly<Record<string, string>>

/** Identifies an attempt: the subscription, the position of the event, and the time of the attempt, UTC with `Z`. */
interface AttemptKey {
  readonly subscription: string
  readonly seq: number
  readonly time: string
}

/**
 * Seals the request and response of an attempt, since a receiver may return anything, even personal data. Returns undefined
 * if the key is not available; they are not stored then.
 */
export function sealExchange(indexKey: IndexKey, of: AttemptKey, exchange: Exchange): string | undefined {
  try {
    return sealValue(tryKey(indexKey), sealedPlaceOfAttempt(of), exchange)
  } catch {
    return undefined
  }
}

/**
 * Opens a sealed request and response. Returns undefined if the key is not available or the text was altered; the rest
 * of the attempt is still shown.
 */
export function openExchange(indexKey: IndexKey, of: AttemptKey, sealed: string): Exchange | undefined {
  try {
    return openValue(tryKey(indexKey), sealedPlaceOfAttempt(of), sealed) as Exchange
  } catch {
    return undefined
  }
}

const sealedPlaceOfAttempt = ({ subscription, seq, time }: AttemptKey) => ({
  user: subscription,
  entity: time,
  key: String(seq),
  type: 'try',
})

const keys = new WeakMap<Buffer, Buffer>()

function tryKey(indexKey: IndexKey): Buffer {
  const from = indexKey()
  const key = keys.get(from) ?? Buffer.from(hkdfSync('sha256', from, '', 'data-store tries', 32))
  keys.set(from, key)
  return key
}
