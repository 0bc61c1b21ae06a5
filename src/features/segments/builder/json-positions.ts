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
  const matched = (pattern: RegExp) => {
    pattern.lastIndex = at
    const [text = ''] = pattern.exec(json) ?? []
    at += text.length
    return text
  }
  /** Skips the character and the whitespace around it. Returns false if another character is next. */
  const passed = (character: string) => {
    matched(space)
    if (json[at] !== character) return false
    at += 1
    end = at
    matched(space)
    return true
  }
  const demand = (isThere: boolean) => {
    if (!isThere) throw new Misplaced()
  }
  const value = (pointer: string) => {
    matched(space)
    const from = at
    if (passed('{')) {
      for (let first = true; !passed('}'); first = false) {
        demand(first || passed(','))
        demand(json[at] === '"')
        const name = matched(scalar)
        demand(name !== '' && passed(':'))
        value(pointer + pointerOf([String(JSON.parse(name))]))
      }
    } else if (passed('[')) {
      for (let index = 0; !passed(']'); index += 1) {
        demand(index === 0 || passed(','))
        value(`${pointer}/${index}`)
      }
    } else {
      demand(matched(scalar) !== '')
      end = at
    }
    positions.set(pointer, [from, end])
  }
  try {
    value('')
    matched(space)
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
