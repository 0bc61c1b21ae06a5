import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { type MasterKey, type MasterKeys, readKey, SettingsError } from './master-keys.ts'

/**
 * The embedded store's own master key in `DATA_DIR/encryption-key`, readable only by its owner. During a replacement
 * the new key is next to it (`encryption-key.next`), and both are in use. A replacement does not copy the old key, but
 * overwrites it in place. A kill or power cut between any two steps loses nothing. Only for the process that holds the
 * folder's lock.
 */
export class KeyFile {
  readonly folder: string
  readonly #file: string
  readonly #next: string

  constructor(dataDir: string) {
    this.folder = path.resolve(dataDir)
    this.#file = path.join(this.folder, 'encryption-key')
    this.#next = `${this.#file}.next`
  }

  /** Returns the keys, the wrapping one first. The very first call makes a key. */
  read(): MasterKeys {
    const next = parseKey(readKeyFile(this.#next))
    const text = readKeyFile(this.#file)
    const key = parseKey(text)
    if (key) return next ? [next, key] : [key]
    if (text !== undefined && !text.startsWith(overwritten))
      throw new SettingsError(
        `${this.#file}: must hold id:key, the key 32 bytes in base64; restore it from a backup`,
      )
    // Either the process ended while it destroyed the old key, which nothing needed any more, or this is the first
    // start.
    if (next) return this.destroyOld()
    if (text !== undefined)
      throw new SettingsError(`${this.#next}: is missing or damaged; restore it from a backup`)
    this.#write(this.#next, entry({ id: 'local', key: randomBytes(32) }))
    return this.destroyOld()
  }

  /** Makes a new key and puts it before the existing one. The key is on disk when this returns. */
  add(): MasterKeys {
    const key = { id: `local-${randomBytes(6).toString('hex')}`, key: randomBytes(32) }
    this.#write(this.#next, entry(key))
    return this.read()
  }

  /** Overwrites the old key in place and moves the new one there. No stored key may still be wrapped by the old one. */
  destroyOld(): MasterKeys {
    const next = parseKey(readKeyFile(this.#next))
    if (!next) throw new Error('There is no other key than the one to destroy.')
    const { size } = fs.statSync(this.#file, { throwIfNoEntry: false }) ?? { size: 0 }
    if (size > 0) this.#write(this.#file, overwritten.repeat(size), 'r+')
    fs.renameSync(this.#next, this.#file)
    this.#syncFolder()
    return [next]
  }

  #write(file: string, text: string, flags = 'w') {
    const handle = fs.openSync(file, flags, 0o600)
    try {
      fs.writeSync(handle, text)
      fs.fsyncSync(handle)
    } finally {
      fs.closeSync(handle)
    }
    this.#syncFolder()
  }

  #syncFolder() {
    if (process.platform === 'win32') return
    const handle = fs.openSync(this.folder, 'r')
    try {
      fs.fsyncSync(handle)
    } finally {
      fs.closeSync(handle)
    }
  }
}

/**
 * Returns the key files in a folder by name: the current one, and the next one during a replacement; none if the keys
 * come from the settings. Another process may be replacing the key, so the new one is read first: the old one is then
 * missing only if it has been overwritten.
 */
export function readKeyFiles(dataDir: string): Map<string, string> {
  const names = ['encryption-key.next', 'encryption-key']
  const found = names.flatMap((name) => {
    const text = readKeyFile(path.join(dataDir, name))
    return text === undefined ? [] : [[name, text] as const]
  })
  const [first, second] = found
  return new Map(second && first?.[1] === second[1] ? [second] : found)
}

const overwritten = '\0'

const entry = ({ id, key }: MasterKey) => `${id}:${key.toString('base64')}\n`

/** Returns `undefined` for what an interrupted write left behind; no data key was wrapped with that key yet. */
const parseKey = (text: string | undefined) => (text === undefined ? undefined : readKey(text.trim()))

function readKeyFile(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
