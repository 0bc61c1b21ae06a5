import type { Encoding } from '../import.ts'
import { findCodePage } from './code-pages.ts'

/**
 * `workbook`: a spreadsheet's own format. `binary`: no text. `encoding`: not in the encoding that was chosen. `unknown`:
 * in none of the encodings that can be found.
 */
export type TextProblem = 'workbook' | 'binary' | 'encoding' | 'unknown'

type DecodedText =
  | { readonly encoding: Encoding; readonly text: string; readonly problem?: never }
  | { readonly problem: TextProblem }

/** Bytes of a file by which its encoding is found. */
const firstBytes = 64 * 1024

class NoText extends Error {
  readonly problem: TextProblem
  constructor(problem: TextProblem) {
    super(problem)
    this.problem = problem
  }
}

/** Returns why a file is no text, if an error says so. */
export const textProblemOf = (error: unknown) => (error instanceof NoText ? error.problem : undefined)

/** Decodes a file piece by piece, without its byte order mark. */
export class TextReader {
  readonly #chosen: Encoding | undefined
  #held: Uint8Array[] | undefined = []
  #heldBytes = 0
  #encoding: Encoding | undefined
  #decoder: TextDecoder | undefined
  /** Whether all bytes so far mean the same in UTF-8 and in the code pages. */
  #isPlain = true
  #hasZeros = false
  /** Bytes beyond ASCII at the end, which may go on as a letter of UTF-8 or be letters of a code page. */
  #late: Uint8Array = new Uint8Array()

  /** @param chosen Encoding chosen by the person; undefined to find it. */
  constructor(chosen?: Encoding) {
    this.#chosen = chosen
  }

  /** Encoding of the text; undefined before it has begun. */
  get encoding(): Encoding | undefined {
    return this.#encoding
  }

  /** Returns the text of the next bytes; empty until there are enough to find the encoding. Throws if it is no text. */
  push(bytes: Uint8Array): string {
    if (!this.#held) return this.#decode(bytes, true)
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    return this.#heldBytes < firstBytes ? '' : this.#begin(true)
  }

  /** Returns the rest of the text. Throws if it is no text. */
  end(): string {
    return this.#held ? this.#begin(false) : this.#decode(new Uint8Array(), false)
  }

  #begin(goesOn: boolean): string {
    const bytes = joinBytes(this.#held ?? [], this.#heldBytes)
    this.#held = undefined
    const starts = (...marks: readonly number[]) => marks.every((byte, index) => bytes[index] === byte)
    // Signatures of a ZIP archive (the workbook format of Excel and LibreOffice) and of Excel's older format.
    if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0)) throw new NoText('workbook')
    const wide = starts(0xff, 0xfe) ? 'utf-16le' : starts(0xfe, 0xff) ? 'utf-16be' : findWide(bytes)
    this.#hasZeros = bytes.includes(0)
    this.#use(this.#chosen ?? wide ?? 'utf-8')
    const text = this.#decode(bytes, goesOn)
    if (isBinary(text)) throw new NoText('binary')
    return text
  }

  #use(encoding: Encoding): void {
    this.#encoding = encoding
    this.#decoder = new TextDecoder(encoding, { fatal: true })
  }

  #decode(next: Uint8Array, goesOn: boolean): string {
    let bytes = this.#late.length > 0 ? joinBytes([this.#late, next], this.#late.length + next.length) : next
    const end = goesOn && this.#isPlain && this.#encoding === 'utf-8' ? endOfPlain(bytes) : bytes.length
    this.#late = bytes.subarray(end)
    bytes = bytes.subarray(0, end)
    let text: string
    try {
      text = this.#decoder?.decode(bytes, { stream: goesOn }) ?? ''
    } catch {
      // A code page accepts any bytes, so it is what is left, unless letters have been read as UTF-8 already.
      if (this.#chosen === undefined && this.#encoding === 'utf-8' && this.#isPlain) {
        const again = joinBytes([bytes, this.#late], bytes.length + this.#late.length)
        const found = findCodePage(again.subarray(0, firstBytes))
        if (found === undefined) {
          const isText = !this.#hasZeros && !isBinary(new TextDecoder('windows-1252').decode(again))
          throw new NoText(isText ? 'unknown' : 'binary')
        }
        this.#use(found)
        this.#late = new Uint8Array()
        return this.#decode(again, goesOn)
      }
      throw new NoText(this.#hasZeros ? 'binary' : 'encoding')
    }
    if (text.includes('\0')) throw new NoText('binary')
    this.#isPlain &&= text.length === bytes.length
    return text
  }
}

/** Whether a text has many control characters, as a picture has. U+001A ends a file of DOS. */
function isBinary(text: string): boolean {
  const begun = text.slice(0, firstBytes)
  // oxlint-disable-next-line no-control-regex -- these are what a text does not have
  const controls = begun.match(/[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]/g)
  return (controls?.length ?? 0) * 50 > begun.length
}

/** Returns where up to four bytes beyond ASCII at the end begin. */
function endOfPlain(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] ?? 0) >= 0x80) end -= 1
  return end
}

function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const joined = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/**
 * Decodes a whole file, without its byte order mark.
 *
 * @param chosen Encoding chosen by the person; undefined to find it.
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>, chosen?: Encoding): DecodedText {
  const reader = new TextReader(chosen)
  try {
    const text = reader.push(bytes) + reader.end()
    return { encoding: reader.encoding ?? 'utf-8', text }
  } catch (error) {
    const problem = textProblemOf(error)
    if (problem === undefined) throw error
    return { problem }
  }
}

/**
 * Finds UTF-16 without a mark: separators, line ends and digits then have a zero in every other byte, always the first
 * or always the second of two. No other encoding of a text has zeros, and a zero by accident is beside no line end.
 */
function findWide(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  const lineEnds = [0, 0]
  for (const [index, byte] of bytes.subarray(0, firstBytes).entries()) {
    if (byte !== 0) continue
    const place = index % 2
    zeros[place] = (zeros[place] ?? 0) + 1
    const beside = bytes[place === 0 ? index + 1 : index - 1]
    if (beside === 0x0a || beside === 0x0d) lineEnds[place] = (lineEnds[place] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  const [evenEnds = 0, oddEnds = 0] = lineEnds
  if (odd > 20 * even && oddEnds > 0) return 'utf-16le'
  return even > 20 * odd && evenEnds > 0 ? 'utf-16be' : undefined
}
