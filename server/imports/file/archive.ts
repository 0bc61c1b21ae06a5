import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

import { formatCount } from '#contract/index.ts'
import { badFile, badFileOf } from './bad-file.ts'

const mebibyte = 1024 * 1024

export const archiveLimits = {
  /** Largest archive, which is held in memory. */
  packedBytes: 32 * mebibyte,
  /** Most that is unpacked of an archive, in all. */
  bytes: 512 * mebibyte,
  entries: 1000,
  /** Most that is unpacked for each byte of the archive. XML of a table is packed to a tenth. */
  ratio: 200,
  /** Unpacked without a look at the ratio, which is high for a small table with equal rows. */
  smallBytes: 16 * mebibyte,
}

/** ZIP archive of XML files, of which no more is unpacked than the limits allow. */
export class Archive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #mostBytes: number
  #bytes = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
    const { bytes, ratio, smallBytes } = archiveLimits
    this.#mostBytes = Math.min(bytes, Math.max(smallBytes, zip.fileSize * ratio))
  }

  /** Collects the pieces of an archive and reads the names in it. Throws the refusal of one that is too large or broken. */
  static async receive(pieces: AsyncIterable<Buffer>): Promise<Archive> {
    const received: Buffer[] = []
    let bytes = 0
    for await (const piece of pieces) {
      bytes += piece.length
      if (bytes > archiveLimits.packedBytes) throw tooLargeFile()
      received.push(piece)
    }
    const zip = await orBroken(() => fromBufferPromise(Buffer.concat(received)))
    if (zip.entryCount > archiveLimits.entries) throw badFileOf('unpacked')
    const entries = new Map<string, Entry>()
    await orBroken(async () => {
      for await (const entry of zip.eachEntry()) entries.set(keyOf(entry.fileName), entry)
    })
    return new Archive(zip, entries)
  }

  has(name: string): boolean {
    return this.#entries.has(keyOf(name))
  }

  /** Unpacks a file piece by piece. Throws the refusal of one that is broken, encrypted or larger than it may be. */
  async *read(name: string, mostBytes = archiveLimits.bytes): AsyncGenerator<string, void> {
    const entry = this.#entries.get(keyOf(name))
    if (!entry) throw badFileOf('broken')
    if (entry.isEncrypted()) throw badFileOf('encrypted')
    const stream = await orBroken(() => this.#zip.openReadStreamPromise(entry))
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let bytes = 0
    try {
      for (;;) {
        const next = await orBroken(() => pieces.next())
        if (next.done === true) break
        bytes += next.value.length
        this.#bytes += next.value.length
        if (bytes > mostBytes || this.#bytes > this.#mostBytes) throw badFileOf('unpacked')
        yield await orBroken(() => decoder.decode(next.value, { stream: true }))
        await yieldToOthers()
      }
      yield await orBroken(() => decoder.decode())
    } finally {
      stream.destroy()
    }
  }
}

/** Names of files in a workbook are the same in capitals. */
const keyOf = (name: string) => name.toLowerCase()

const tooLargeFile = () =>
  badFile(
    'large_workbook',
    `The workbook is larger than ${formatCount(archiveLimits.packedBytes)} bytes. Save it as CSV.`,
  )

/** Refuses the file if a step of the libraries fails, whose errors tell nothing that its author could act on. */
async function orBroken<Result>(step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch {
    throw badFileOf('broken')
  }
}
