import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'

/** Limit of what a compressed beginning may unpack to, in bytes: deflate makes at most 1,032 of one. */
const unpackedBytes = 8 * 1024 * 1024
const maxEncodings = 3

type Unpack = (bytes: Buffer) => Buffer

// The end may be missing, since only the beginning of a body is kept.
const deflated = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: unpackedBytes }
const gunzip: Unpack = (bytes) => gunzipSync(bytes, deflated)
const unpacks: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['identity', (bytes) => bytes],
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  [
    'br',
    (bytes) =>
      brotliDecompressSync(bytes, {
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
        maxOutputLength: unpackedBytes,
      }),
  ],
  [
    'zstd',
    (bytes) =>
      zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush, maxOutputLength: unpackedBytes }),
  ],
])

/** Many servers send the bare format under the name of the one with a header. */
function inflate(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, deflated)
  } catch {
    return inflateRawSync(bytes, deflated)
  }
}

/**
 * Returns the beginning of a body as text, by its encoding and the charset of its type; empty if it is none that can
 * be read, since replacement characters tell nobody anything.
 */
export function readBody(
  kept: Buffer,
  {
    encoding,
    type,
    maxBytes,
    isCut,
  }: {
    /** `Content-Encoding`. */
    readonly encoding: string | undefined
    /** `Content-Type`. */
    readonly type: string | undefined
    readonly maxBytes: number
    /** Whether `kept` is not the whole body. */
    readonly isCut: boolean
  },
): { readonly text: string; readonly isCut: boolean } {
  try {
    const encodings = (encoding ?? '')
      .toLowerCase()
      .split(',')
      .map((each) => each.trim())
    const steps = encodings.filter((each) => each !== '').toReversed()
    if (steps.length > maxEncodings) return { text: '', isCut }
    let bytes = kept
    for (const step of steps) {
      const unpack = unpacks.get(step)
      if (!unpack) return { text: '', isCut }
      bytes = unpack(bytes)
    }
    const isLonger = isCut || bytes.length > maxBytes
    // Decoding in stream mode drops a character that was cut off at the end.
    const text = decoderOf(type).decode(bytes.subarray(0, maxBytes), { stream: isLonger })
    return { text: text.includes('\0') ? '' : text, isCut: isLonger }
  } catch {
    return { text: '', isCut }
  }
}

function decoderOf(type: string | undefined): TextDecoder {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(type ?? '') ?? []
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    // A charset that nobody knows may still be ASCII.
    return new TextDecoder('utf-8', { fatal: true })
  }
}
