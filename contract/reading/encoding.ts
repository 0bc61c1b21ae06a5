/** Encodings of text files. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** `workbook`: a spreadsheet's own format. `binary`: no text. `encoding`: not in the encoding that was chosen. */
export type TextProblem = 'workbook' | 'binary' | 'encoding'

type DecodedText =
  | { readonly encoding: Encoding; readonly text: string; readonly problem?: never }
  | { readonly problem: TextProblem }

/**
 * Decodes a file, without its byte order mark.
 *
 * @param chosen Encoding chosen by the person; undefined to find it.
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>, chosen?: Encoding): DecodedText {
  const starts = (...marks: readonly number[]) => marks.every((byte, index) => bytes[index] === byte)
  // Signatures of a ZIP archive (the workbook format of Excel and LibreOffice) and of Excel's older format.
  if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0)) return { problem: 'workbook' }
  const wide = starts(0xff, 0xfe) ? 'utf-16le' : starts(0xfe, 0xff) ? 'utf-16be' : findWide(bytes)
  // Windows-1252 accepts any bytes, so it is what is left.
  const tried =
    chosen === undefined ? [wide ?? 'utf-8', ...(wide ? [] : ['windows-1252' as const])] : [chosen]
  for (const encoding of tried) {
    let text: string
    try {
      text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      continue
    }
    return isText(text) ? { encoding, text } : { problem: 'binary' }
  }
  return { problem: chosen !== undefined && !bytes.includes(0) ? 'encoding' : 'binary' }
}

/**
 * Finds UTF-16 without a mark: separators, line ends and digits then have a zero in every other byte, always the first
 * or always the second of two. No other encoding of a text has zeros.
 */
function findWide(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  for (const [index, byte] of bytes.subarray(0, 64 * 1024).entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > 20 * even) return 'utf-16le'
  return even > 20 * odd ? 'utf-16be' : undefined
}

/** Whether nearly all characters are such as people write: a picture has many control characters. */
function isText(text: string): boolean {
  if (text.includes('\0')) return false
  const first = text.slice(0, 64 * 1024)
  // oxlint-disable-next-line no-control-regex -- these are what a text does not have
  const controls = first.match(/[\x01-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]/g)?.length ?? 0
  return controls * 50 <= first.length
}
