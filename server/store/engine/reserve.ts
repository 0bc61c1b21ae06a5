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
 * somebody reads, and does not start without room for more of it. It is a file of no content, which is made shorter when that
 * happens, and whole again when there is room. While it is not whole, or little room is left beside it, nothing is to be changed.
 */
export class Reserve {
  readonly #folder: string
  readonly #file: string
  #bytes: number
  #isShort: boolean
  #looked: () => void = () => {}
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

  /** Looks at once and every second, and tells each time; also when it has given room away. */
  async watch(looked: () => void): Promise<void> {
    this.#looked = looked
    await this.#look()
    this.#timer = setInterval(() => void this.#look(), everyMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Makes room for a write that has failed; false: there is none left to give. */
  release(): boolean {
    this.#isShort = true
    const bytes = Math.max(0, this.#bytes - stepBytes)
    const isMore = bytes < this.#bytes
    if (isMore) fs.truncateSync(this.#file, (this.#bytes = bytes))
    this.#looked()
    return isMore
  }

  /** Whether there is room now, and the file is whole. */
  #look(): Promise<void> {
    return (this.#looking ??= this.#evaluate()
      // Asked again a second later.
      .catch(() => (this.#isShort = true))
      .then(() => this.#looked())
      .finally(() => (this.#looking = undefined)))
  }

  async #evaluate(): Promise<void> {
    const { bavail, bsize } = await fs.promises.statfs(this.#folder)
    const free = bavail * bsize
    if (!this.#isShort) {
      if (free < littleBytes) this.#isShort = true
      return
    }
    // Twice as much as where it began to be short, so that it does not go to and fro.
    if (free < reserveBytes - this.#bytes + 2 * littleBytes) return
    await this.#fill()
    this.#isShort = false
  }

  async #fill(): Promise<void> {
    // Random bytes, which no file system compresses.
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
}
