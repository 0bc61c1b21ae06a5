import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes of 256 ids: a call for each took 4 to 15 µs, a tenth of the time of an import. */
const random = new Uint8Array(256 * 16)
let used = random.length
let lastMs = 0
let sequence = 0

/** Returns a new id: a UUIDv7 that is greater than all earlier ones of this process. */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const own = random.subarray(used, (used += 16))
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    // Begins at random in the lower half of the 32 bits, so that two billion more fit into one millisecond.
    sequence = new DataView(own.buffer, own.byteOffset).getUint32(4) >>> 1
  } else sequence += 1
  return v7({ random: own, msecs: lastMs, seq: sequence })
}
