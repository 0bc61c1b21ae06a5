import { v7 as uuidv7 } from 'uuid'

/** Returns the next number of a sequence: at least 0, below 1. A seed produces the same sequence on every machine. */
export type Random = () => number

/**
 * Returns a Mulberry32 generator: cheap enough to create one per user, and good enough for data that only has to look
 * mixed.
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a random integer, both bounds included. */
export function whole(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1))
}

export function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0]
}

const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'

/** Fills a pattern: `#` becomes a digit, `%` a digit other than 0, `?` a capital letter. */
export function fillPattern(random: Random, pattern: string): string {
  return pattern.replace(/[#%?]/g, (mark) =>
    mark === '?'
      ? (letters[whole(random, 0, letters.length - 1)] ?? '')
      : String(whole(random, mark === '%' ? 1 : 0, 9)),
  )
}

/** Makes a UUIDv7 from a time; ids of one millisecond ascend. */
export type MakeId = (msecs: number) => string

export function seededIds(random: Random): MakeId {
  // 24 random bits above an 8-bit counter, which together fill the 32 bits after the time.
  let seq = Math.floor(random() * 2 ** 24) << 8
  const bytes = new Uint8Array(16)
  return (msecs) => {
    for (let place = 10; place < 16; place++) bytes[place] = random() * 256
    return uuidv7({ msecs, seq: seq++, random: bytes })
  }
}
