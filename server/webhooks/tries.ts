import { hkdfSync } from 'node:crypto'

import { openValue, sealValue } from '../sealing/encryption.ts'
import type { Exchange } from './delivery/exchange.ts'
import type { IndexKey } from '../sealing/data-keys.ts'

/** Which try it is of: an event's position, and when it was sent, UTC with `Z`. */
interface Try {
  readonly subscription: string
  readonly seq: number
  readonly time: string
}

/**
 * A receiver may answer with what it was never to say, of a person too. So what is kept of a try is sealed, under a key of the
 * service: `rewrap` wraps that anew with the others. `undefined`: the key is not to be had, and nothing is kept.
 */
export function sealExchange(indexKey: IndexKey, of: Try, exchange: Exchange): string | undefined {
  try {
    return sealValue(tryKey(indexKey), sealedPlaceOfTry(of), exchange)
  } catch {
    return undefined
  }
}

/** `undefined`: the key is not to be had, or it was altered; all else of the try is told. */
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
