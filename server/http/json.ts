import { JsonNumber, maxBodyValues, formatCount } from '#contract/index.ts'
import { Refusal } from './problem.ts'

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
 * Parses a JSON text (RFC 8259) more strictly than `JSON.parse`: rejects bad UTF-8, duplicate keys, `__proto__`,
 * NUL and lone surrogates in strings, and depth beyond 64. A number that JavaScript would round or spell differently
 * (`1.0`) becomes a `JsonNumber`. Throws a Refusal: 400 for invalid JSON, 413 for too many values, 422 with a pointer
 * for text that cannot be stored.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let source: string
  try {
    source = utf8.decode(bytes)
  } catch {
    throw new Refusal('invalid_json', isGzip(bytes) ? gzipped : 'The body is not valid UTF-8.')
  }
  return new Reader(source).read()
}

const gzipped = 'The body is compressed (gzip). Send it uncompressed.'
/** Whether the bytes are gzip, by their first two (RFC 1952, 2.3.1), which no UTF-8 text starts with. */
const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b

class Reader {
  readonly #source: string
  readonly #path: (string | number)[] = []
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  read(): unknown {
    const value = this.#value()
    this.#skip()
    if (this.#at < this.#source.length) throw this.#unexpectedRefusal()
    return value
  }

  #value(): unknown {
    if (++this.#values > maxBodyValues)
      throw new Refusal(
        'too_many_values',
        `The body holds more than ${formatCount(maxBodyValues)} values. Nothing was changed.`,
      )
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
    this.#enter()
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
        this.#path.push(key)
        entries.set(key, this.#value())
        this.#path.pop()
      } while (this.#take(','))
      if (!this.#take('}')) throw this.#unexpectedRefusal()
    }
    this.#depth--
    return Object.fromEntries(entries)
  }

  #array(): unknown[] {
    this.#enter()
    const items: unknown[] = []
    if (!this.#take(']')) {
      do {
        this.#path.push(items.length)
        items.push(this.#value())
        this.#path.pop()
      } while (this.#take(','))
      if (!this.#take(']')) throw this.#unexpectedRefusal()
    }
    this.#depth--
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

  #depth = 0
  #values = 0

  #enter(): void {
    this.#at++
    if (++this.#depth > maxDepth)
      throw new Refusal('invalid_json', `The body is nested deeper than ${maxDepth} levels.`)
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
