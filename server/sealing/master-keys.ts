export interface MasterKey {
  readonly id: string
  /** 32 bytes. */
  readonly key: Buffer
}

/** All that is wrong with the settings, or with the key file that stands in for one: a line each. */
export class SettingsError extends Error {}

/** The first one is used for what is made now, the others for what was made before. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

/** An `id:key` of the settings; `undefined`: it is none. */
export function readKey(entry: string): MasterKey | undefined {
  const [id, encoded = ''] = entry.split(/:(.*)/s)
  const key = Buffer.from(encoded, 'base64')
  return id && key.length === 32 ? { id, key } : undefined
}

/**
 * Master keys that protect nothing, or whose replacement replaced nothing. `rewrap` needs them once more behind a sound
 * one, so each fault names the key that it is of: of two that are the same, the first.
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
 * Whether 32 bytes do not look random: too few different bytes or differences between neighbours, equal halves, or
 * text. Fewer than one in 10^9 random keys looks like this.
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
