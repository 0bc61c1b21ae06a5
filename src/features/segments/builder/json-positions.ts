import { pointerOf } from '../../../domain/failures/pointers.ts'

const space = /[ \t\n\r]*/y
const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Returns the ranges of the values in a JSON text by JSON Pointer, and the offset at which the text stops being JSON:
 * browsers report the position of an error differently or not at all.
 */
export function positionsIn(json: string) {
  const positions = new Map<string, readonly [number, number]>()
  let at = 0
  /** End of the last token, excluding the whitespace after it. */
  let end = 0
  const matchNext = (pattern: RegExp) => {
    pattern.lastIndex = at
    const [text = ''] = pattern.exec(json) ?? []
    at += text.length
    return text
  }
  /** Skips the character and the whitespace around it. Returns false if another character is next. */
  const skipPast = (character: string) => {
    matchNext(space)
    if (json[at] !== character) return false
    at += 1
    end = at
    matchNext(space)
    return true
  }
  const demand = (isThere: boolean) => {
    if (!isThere) throw new Misplaced()
  }
  const value = (pointer: string) => {
    matchNext(space)
    const from = at
    if (skipPast('{')) {
      for (let first = true; !skipPast('}'); first = false) {
        demand(first || skipPast(','))
        demand(json[at] === '"')
        const name = matchNext(scalar)
        demand(name !== '' && skipPast(':'))
        value(pointer + pointerOf([String(JSON.parse(name))]))
      }
    } else if (skipPast('[')) {
      for (let index = 0; !skipPast(']'); index += 1) {
        demand(index === 0 || skipPast(','))
        value(`${pointer}/${index}`)
      }
    } else {
      demand(matchNext(scalar) !== '')
      end = at
    }
    positions.set(pointer, [from, end])
  }
  try {
    value('')
    matchNext(space)
    return { positions, error: at < json.length ? at : undefined }
  } catch (error) {
    // A stack overflow from deep nesting has no error position.
    return { positions, error: error instanceof Misplaced ? at : undefined }
  }
}

class Misplaced extends Error {}

/** Returns the range of a value, or of its closest existing ancestor if the value is missing. */
export function positionAt(
  found: ReturnType<typeof positionsIn>,
  pointer: string,
): readonly [number, number] {
  const position = found.positions.get(pointer)
  if (position || pointer === '') return position ?? [0, 0]
  return positionAt(found, pointer.slice(0, pointer.lastIndexOf('/')))
}

/** Returns the line number of an offset, counting from 1. */
export function lineOf(json: string, offset: number): number {
  return json.slice(0, offset).split('\n').length
}
