import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Size of the reserve: four files of PostgreSQL's log, which are created at full size before they are written to. */
const reserveBytes = 64 * 2 ** 20
const stepBytes = 32 * 2 ** 20
/** With less free space than this, changes are refused. */
const littleBytes = 32 * 2 ** 20
const everyMs = 1_000

/** Faults of the reserve that no amount of space would mend: the start is refused with them. */
const faults = new Set(['EFBIG', 'EISDIR', 'EACCES', 'EPERM'])

/** Error for a data folder whose disk is full or nearly full. */
export class DiskFull extends Error {
  override name = 'DiskFull'
}

/**
 * Reserves disk space for writes that must not fail: PostgreSQL ends when it cannot write its log, even if clients
 * only read, and does not start without space for more log. The reserve is a file without meaningful content. It is
 * shortened when such a write fails, and filled again when there is space. While it is incomplete, or little space is
 * left besides it, no changes are allowed.
 */
export class Reserve {
  readonly #folder: string
  readonly #file: string
  #bytes: number
  #isShort: boolean
  #looked: () => void = () => {}
  #looking: Promise<void> | undefined
  #fault: NodeJS.ErrnoException | undefined
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

  /**
   * Checks at once and every second. Calls `looked` after each check, and after space was released. Throws if the first
   * check finds a fault other than a lack of space.
   */
  async watch(looked: () => void): Promise<void> {
    this.#looked = looked
    await this.#look()
    if (faults.has(this.#fault?.code ?? '')) throw Object.assign(this.#fault as Error, { path: this.#file })
    this.#timer = setInterval(() => void this.#look(), everyMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Releases space for a failed write; returns false if none is left. */
  release(): boolean {
    this.#isShort = true
    const bytes = Math.max(0, this.#bytes - stepBytes)
    const isMore = bytes < this.#bytes
    if (isMore) fs.truncateSync(this.#file, (this.#bytes = bytes))
    this.#looked()
    return isMore
  }

  /** Updates whether space is short, and fills the reserve if possible. */
  #look(): Promise<void> {
    return (this.#looking ??= this.#evaluate()
      // A failed check counts as short; the next one is a second later.
      .catch((error: NodeJS.ErrnoException) => {
        this.#fault = error
        this.#isShort = true
      })
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
    // The state ends with twice the space at which it begins, so that it does not flip back and forth.
    if (free < reserveBytes - this.#bytes + 2 * littleBytes) return
    await this.#fill()
    this.#isShort = false
  }

  async #fill(): Promise<void> {
    // Random bytes, because a file system could compress others.
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
