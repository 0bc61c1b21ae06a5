import { hkdfSync } from 'node:crypto'

import { openValue, sealValue } from '../sealing/encryption.ts'
import type { Exchange } from './delivery/exchange.ts'
import type { IndexKey } from '../sealing/data-keys.ts'

/** Identifies a try: the subscription, the position of the event, and the time of the try, UTC with `Z`. */
interface Try {
  readonly subscription: string
  readonly seq: number
  readonly time: string
}

/**
 * Seals the request and response of a try, since a receiver may return anything, even personal data. Returns undefined
 * if the key is not available; they are not stored then.
 */
export function sealExchange(indexKey: IndexKey, of: Try, exchange: Exchange): string | undefined {
  try {
    return sealValue(tryKey(indexKey), sealedPlaceOfTry(of), exchange)
  } catch {
    return undefined
  }
}

/**
 * Opens a sealed request and response. Returns undefined if the key is not available or the text was altered; the rest
 * of the try is still shown.
 */
export function openExchange(indexKey: IndexKey, of: Try, sealed: string): Exchange | undefined {
  try {
    return openValue(tryKey(indexKey), sealedPlaceOfTry(of), sealed) as Exchange
  } catch {
    return undefined
  }
}

const sealedPlaceOfTry = ({ subscription, seq, time }: Try) => ({
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
