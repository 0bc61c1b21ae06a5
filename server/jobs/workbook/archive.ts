import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** File in an archive. */
interface PackedFile {
  readonly name: string
  /** Place of its header in the archive. */
  readonly offset: number
  readonly crc: number
  readonly packed: number
  readonly bytes: number
}

/** Archive up to here, as it is stored between two parts, which different processes may write. */
export interface BegunArchive {
  readonly bytes: number
  /** Files in order. The last one may go on. */
  readonly files: readonly PackedFile[]
}

/** Largest archive, and largest file in one: their sizes fit into 32 bits. */
const mostBytes = 0xffff_ffff

/** Error for an archive that would be larger than one can be. */
export class LargeArchive extends Error {
  override readonly name = 'LargeArchive'
}

/** A final block without any bytes, as deflate ends. */
const lastBlock = Buffer.from([0x03, 0x00])

/** Version of the format that a reader needs, for deflated files. */
const version = 20
/** Sizes follow the file, since nobody knows them before; names are UTF-8. */
const flags = 0x0808
const deflated = 8
/** 1 January 1980, the first date that an archive has: when a file was written is nobody's business. */
const firstDate = 0x0021

/**
 * Writes a ZIP archive (APPNOTE 6.3) in parts. No library continues an archive that another process has begun. Each part
 * of a file is deflated by itself and ends at a byte, so that the parts are one stream one after the other.
 */
export class ArchiveWriter {
  #written: Buffer[] = []
  #bytes: number
  readonly #files: PackedFile[]

  constructor({ bytes, files }: BegunArchive = { bytes: 0, files: [] }) {
    this.#bytes = bytes
    this.#files = [...files]
  }

  get begun(): BegunArchive {
    return { bytes: this.#bytes, files: this.#files }
  }

  /** Returns what has been written since this was last called. */
  take(): Buffer {
    const written = Buffer.concat(this.#written)
    this.#written = []
    return written
  }

  async add(name: string, text: string): Promise<void> {
    this.begin(name)
    await this.append(text)
    this.end()
  }

  begin(name: string): void {
    const offset = this.#bytes
    this.#put(0x04034b50, [version, 2], [flags, 2], ...formOf(name, [0, 0, 0]), [0, 2], name)
    this.#files.push({ name, offset, crc: 0, packed: 0, bytes: 0 })
  }

  async append(text: string): Promise<void> {
    if (text === '') return
    const bytes = Buffer.from(text)
    this.#grow(await deflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH }), bytes)
  }

  end(): void {
    const { crc, packed, bytes } = this.#grow(lastBlock)
    this.#put(0x08074b50, [crc, 4], [packed, 4], [bytes, 4])
  }

  /** Writes the directory, after which the archive is complete. */
  finish(): void {
    const start = this.#bytes
    for (const { name, offset, crc, packed, bytes } of this.#files)
      this.#put(
        0x02014b50,
        [version, 2],
        [version, 2],
        [flags, 2],
        ...formOf(name, [crc, packed, bytes]),
        ...([0, 0, 0, 0] as const).map((none) => [none, 2] as const),
        [0, 4],
        [offset, 4],
        name,
      )
    const count = this.#files.length
    this.#put(
      0x06054b50,
      [0, 2],
      [0, 2],
      [count, 2],
      [count, 2],
      [this.#bytes - start, 4],
      [start, 4],
      [0, 2],
    )
  }

  /** Appends packed bytes to the last file. */
  #grow(packed: Buffer, bytes: Buffer = Buffer.alloc(0)): PackedFile {
    const file = this.#files.pop()
    if (!file) throw new Error('No file has begun.')
    const grown = {
      ...file,
      crc: crc32(bytes, file.crc),
      packed: file.packed + packed.length,
      bytes: file.bytes + bytes.length,
    }
    this.#files.push(grown)
    this.#add(packed)
    if (grown.bytes > mostBytes) throw new LargeArchive()
    return grown
  }

  #put(signature: number, ...fields: readonly (readonly [value: number, bytes: 2 | 4] | string)[]): void {
    const parts = fields.map((field) => {
      if (typeof field === 'string') return Buffer.from(field)
      const [value, bytes] = field
      const part = Buffer.alloc(bytes)
      part.writeUIntLE(value, 0, bytes)
      return part
    })
    const sign = Buffer.alloc(4)
    sign.writeUInt32LE(signature)
    this.#add(Buffer.concat([sign, ...parts]))
  }

  #add(bytes: Buffer): void {
    this.#written.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > mostBytes) throw new LargeArchive()
  }
}

/** Fields that both headers of a file have: how and when it was written, its sizes and the length of its name. */
const formOf = (name: string, sizes: readonly number[]) =>
  [
    [deflated, 2],
    [0, 2],
    [firstDate, 2],
    ...sizes.map((size) => [size, 4] as const),
    [Buffer.byteLength(name), 2],
  ] as const
