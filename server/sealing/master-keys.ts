export interface MasterKey {
  readonly id: string
  /** 32 bytes. */
  readonly key: Buffer
}

/** Error whose message lists all faults of the settings, or of the key file that replaces one of them, one per line. */
export class SettingsError extends Error {}

/** Master keys: the first one is used for new data, the others only for existing data. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

/** Parses an `id:key` entry of the settings; returns `undefined` if it is not valid. */
export function readKey(entry: string): MasterKey | undefined {
  const [id, encoded = ''] = entry.split(/:(.*)/s)
  const key = Buffer.from(encoded, 'base64')
  return id && key.length === 32 ? { id, key } : undefined
}

/**
 * Returns the faults of master keys: a key is weak, or equal to another one and so no replacement for it. Each fault
 * has the id of its key (the first of two equal ones), because `rewrap` accepts a faulty key after a sound first one.
 */
export function faultsOfKeys(keys: readonly MasterKey[]): { readonly id: string; readonly fault: string }[] {
  return keys.flatMap(({ id, key }, at) => {
    const same = keys.slice(at + 1).find((other) => other.key.equals(key))
    return [
      ...(isWeak(key)
        ? [
            {
              id,
              fault: `ENCRYPTION_KEYS: "${id}" is not random; ${another} "${id}" behind it, ${thenWithout}`,
            },
          ]
        : []),
      ...(same
        ? [
            {
              id,
              fault: `ENCRYPTION_KEYS: "${id}" and "${same.id}" are the same key; ${another} both behind it, ${thenWithout}`,
            },
          ]
        : []),
    ]
  })
}

const another = 'make one with openssl rand -base64 32, put it first and'
const thenWithout = 'run npm run rewrap, then leave the old out'

/**
 * Whether 32 bytes look non-random: few different bytes, few different steps between neighbors, equal halves, or text.
 * Fewer than one in 10^9 random keys looks like this.
 */
function isWeak(key: Buffer): boolean {
  const steps = key.subarray(1).map((byte, at) => byte - (key[at] ?? 0))
  return (
    new Set(key).size < 16 ||
    new Set(steps).size < 16 ||
    key.subarray(0, 16).equals(key.subarray(16)) ||
    key.every((byte) => byte < 0x80)
  )
}
