/** Supported encodings. Windows-1252 accepts any bytes, so it cannot be detected and must be chosen by the person. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

export type ReadFile =
  | { readonly encoding: Encoding; readonly text: string; readonly problem?: never }
  | { readonly problem: 'empty' | 'large' | 'workbook' | 'binary' | 'encoding' }

/** Limited because the rows and their verdicts stay in memory. */
export const maxFileBytes = 64 * 1024 * 1024

/** @param chosen Encoding chosen by the person; undefined to use the byte order mark, or else UTF-8. */
export async function readTextFile(file: Blob, chosen?: Encoding): Promise<ReadFile> {
  if (file.size > maxFileBytes) return { problem: 'large' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const starts = (...marks: readonly number[]) => marks.every((byte, index) => bytes[index] === byte)
  if (bytes.length === 0) return { problem: 'empty' }
  // Signatures of a ZIP archive (the workbook format of Excel and LibreOffice) and of Excel's older format.
  if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0)) return { problem: 'workbook' }
  const encoding = chosen ?? (starts(0xff, 0xfe) ? 'utf-16le' : starts(0xfe, 0xff) ? 'utf-16be' : 'utf-8')
  let text: string
  try {
    // The decoder removes the byte order mark.
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return { problem: bytes.includes(0) ? 'binary' : 'encoding' }
  }
  if (text.includes('\0')) return { problem: 'binary' }
  return text.trim() === '' ? { problem: 'empty' } : { encoding, text }
}
