import { JsonNumber, maxBodyValues, formatCount } from '#contract/index.ts'
import { Refusal } from './errors/problem.ts'

/**
 * Maximum depth: more than any body of this API needs, and far below the depth at which a recursive reader exhausts
 * its stack.
 */
const maxDepth = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })
const plainString = /"([^"\\\u0000-\u001f]*)"/y
const escapedString = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const whitespace = /[ \t\n\r]*/y

/**
 * Called with the name of each member of the outermost object that is not null, before its value is read. May throw a
 * Refusal.
 */
export type OnMember = (name: string) => void

/**
 * Parses a JSON text (RFC 8259) more strictly than `JSON.parse`: rejects bad UTF-8, duplicate keys, `__proto__`,
 * NUL and lone surrogates in strings, and depth beyond 64. A number that JavaScript would round or spell differently
 * (`1.0`) becomes a `JsonNumber`. Throws a Refusal: 400 for invalid JSON, 413 for too many values, 422 with a pointer
 * for text that cannot be stored.
 */
export function parseJson(bytes: Uint8Array, onMember: OnMember = () => {}): unknown {
  let source: string
  try {
    source = utf8.decode(bytes)
  } catch {
    throw new Refusal('invalid_json', isGzip(bytes) ? gzipped : 'The body is not valid UTF-8.')
  }
  refuseBeyondCounts(bytes)
  return new Reader(source, onMember).read()
}

/**
 * Refuses a text with too many values or too many levels. Counting takes a tenth of the time of reading, so such a
 * text costs little.
 */
function refuseBeyondCounts(bytes: Uint8Array): void {
  let values = 1
  let depth = 0
  let isInString = false
  // An array or an object that is not empty has one value more than commas.
  let hasOpened = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isInString) {
      if (byte === backslash) at++
      else if (byte === quote) isInString = false
      continue
    }
    if (byte === space || byte === newline || byte === carriageReturn || byte === tab) continue
    const isClosing = byte === closingBrace || byte === closingBracket
    if (byte === comma || (hasOpened && !isClosing)) values++
    hasOpened = byte === openingBrace || byte === openingBracket
    if (hasOpened) depth++
    else if (isClosing) depth--
    isInString = byte === quote
    if (depth > maxDepth)
      throw new Refusal('invalid_json', `The body is nested deeper than ${maxDepth} levels.`)
    if (values > maxBodyValues)
      throw new Refusal(
        'too_many_values',
        `The body holds more than ${formatCount(maxBodyValues)} values. Nothing was changed.`,
      )
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openingBrace, closingBrace, openingBracket, closingBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [space, newline, carriageReturn, tab] = [0x20, 0x0a, 0x0d, 0x09]

const gzipped = 'The body is compressed (gzip). Send it uncompressed.'
/** Whether the bytes are gzip, by their first two (RFC 1952, 2.3.1), which no UTF-8 text starts with. */
const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b

class Reader {
  readonly #source: string
  readonly #onMember: OnMember
  readonly #path: (string | number)[] = []
  #at = 0

  constructor(source: string, onMember: OnMember) {
    this.#source = source
    this.#onMember = onMember
  }

  read(): unknown {
    const value = this.#value()
    this.#skip()
    if (this.#at < this.#source.length) throw this.#unexpectedRefusal()
    return value
  }

  #value(): unknown {
    this.#skip()
    switch (this.#source.charAt(this.#at)) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(): Record<string, unknown> {
    this.#at++
    const entries = new Map<string, unknown>()
    if (!this.#take('}')) {
      do {
        this.#skip()
        if (this.#source[this.#at] !== '"') throw this.#unexpectedRefusal()
        const key = this.#string()
        if (key === '__proto__' || entries.has(key))
          throw new Refusal('invalid_json', 'An object holds a key twice, or the key "__proto__".', {
            errors: [
              {
                pointer: pointer([...this.#path, key]),
                code: 'duplicate_key',
                detail: 'Send each key once.',
              },
            ],
          })
        if (!this.#take(':')) throw this.#unexpectedRefusal()
        this.#skip()
        if (this.#path.length === 0 && !this.#source.startsWith('null', this.#at)) this.#onMember(key)
        this.#path.push(key)
        entries.set(key, this.#value())
        this.#path.pop()
      } while (this.#take(','))
      if (!this.#take('}')) throw this.#unexpectedRefusal()
    }
    return Object.fromEntries(entries)
  }

  #array(): unknown[] {
    this.#at++
    const items: unknown[] = []
    if (!this.#take(']')) {
      do {
        this.#path.push(items.length)
        items.push(this.#value())
        this.#path.pop()
      } while (this.#take(','))
      if (!this.#take(']')) throw this.#unexpectedRefusal()
    }
    return items
  }

  #string(): string {
    const plain = this.#match(plainString)
    if (plain) return this.#storable(plain.slice(1, -1))
    const escaped = this.#match(escapedString)
    if (!escaped) throw this.#unexpectedRefusal()
    try {
      return this.#storable(JSON.parse(escaped) as string)
    } catch (error) {
      if (error instanceof Refusal) throw error
      this.#at -= escaped.length
      throw this.#unexpectedRefusal()
    }
  }

  #storable(value: string): string {
    if (value.isWellFormed() && !value.includes('\0')) return value
    throw new Refusal('validation', 'A text holds a character that cannot be stored; nothing was changed.', {
      errors: [
        {
          pointer: pointer(this.#path),
          code: 'unstorable_text',
          detail: 'NUL and lone surrogates cannot be stored.',
        },
      ],
    })
  }

  #number(): number | JsonNumber {
    const source = this.#match(number)
    if (!source) throw this.#unexpectedRefusal()
    const value = Number(source)
    return String(value) === source ? value : new JsonNumber(source)
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.#source.startsWith(word, this.#at)) throw this.#unexpectedRefusal()
    this.#at += word.length
    return value
  }

  #skip(): void {
    this.#match(whitespace)
  }

  #take(character: string): boolean {
    this.#skip()
    if (this.#source[this.#at] !== character) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  /** Returns a refusal with the position but without the text there, which may be personal data. */
  #unexpectedRefusal(): Refusal {
    const before = this.#source.slice(0, this.#at)
    const line = before.split('\n').length
    const column = this.#at - before.lastIndexOf('\n')
    return new Refusal('invalid_json', `The body is not JSON: see line ${line}, column ${column}.`)
  }
}

/**
 * Maximum length of a pointer: enough for every place in a known schema, while a caller's own key may be a megabyte
 * long.
 */
const maxPointerLength = 512

/** Returns a JSON pointer (RFC 6901); a very long one is cut to an enclosing place. */
export function pointer(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path) {
    const next = `${text}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (next.length > maxPointerLength) break
    text = next
  }
  return text
}
