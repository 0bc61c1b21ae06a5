import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Four files of PostgreSQL's log, which it makes whole before it writes to them. */
const reserveBytes = 64 * 2 ** 20
const stepBytes = 32 * 2 ** 20
/** With less room than that nothing new is taken. */
const littleBytes = 32 * 2 ** 20
const everyMs = 1_000

/** The disk of the data folder is full, or nearly. */
export class DiskFull extends Error {
  override name = 'DiskFull'
}

/**
 * Room on the disk that is kept for what must not fail: PostgreSQL ends when its log cannot be written, even where only
 * somebody reads, and does not start without room for more of it. It is a file of no content, which is made shorter when that happens, and whole again when there is
 * room. While it is not whole, or little room is left beside it, nothing is to be changed.
 */
export class Reserve {
  readonly #folder: string
  readonly #file: string
  #bytes: number
  #isShort: boolean
  #changed: (isShort: boolean) => void = () => {}
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#file = path.join(folder, 'reserve')
    this.#bytes = fs.statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
    this.#isShort = this.#bytes < reserveBytes
  }

  get isShort(): boolean {
    return this.#isShort
  }

  /** After this `changed` is told whenever room has become short, and when there is enough again. */
  async watch(changed: (isShort: boolean) => void): Promise<void> {
    await this.look()
    this.#changed = changed
    if (this.#isShort) changed(true)
    this.#timer = setInterval(() => void this.look(), everyMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Makes room for a write that has failed; false: there is none left to give. */
  release(): boolean {
    this.#set(true)
    if (this.#bytes === 0) return false
    this.#bytes = Math.max(0, this.#bytes - stepBytes)
    fs.truncateSync(this.#file, this.#bytes)
    return true
  }

  /** Whether there is room now, and the file is whole. */
  look(): Promise<void> {
    return (this.#looking ??= this.#judge()
      // Asked again a second later.
      .catch(() => this.#set(true))
      .finally(() => (this.#looking = undefined)))
  }

  async #judge(): Promise<void> {
    const { bavail, bsize } = await fs.promises.statfs(this.#folder)
    const free = bavail * bsize
    if (!this.#isShort) {
      if (free < littleBytes) this.#set(true)
      return
    }
    // Twice as much as where it began to be short, so that it does not go to and fro.
    if (free < reserveBytes - this.#bytes + 2 * littleBytes) return
    await this.#fill()
    this.#set(false)
  }

  async #fill(): Promise<void> {
    // Of bytes that no file system makes smaller.
    const piece = randomBytes(2 ** 20)
    const file = await fs.promises.open(this.#file, 'a', 0o600)
    try {
      while (this.#bytes < reserveBytes) {
        const { bytesWritten } = await file.write(
          piece,
          0,
          Math.min(piece.length, reserveBytes - this.#bytes),
        )
        this.#bytes += bytesWritten
      }
      await file.sync()
    } finally {
      await file.close()
    }
  }

  #set(isShort: boolean): void {
    if (isShort === this.#isShort) return
    this.#isShort = isShort
    this.#changed(isShort)
  }
}
