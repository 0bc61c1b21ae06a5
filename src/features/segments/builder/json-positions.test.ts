import fc from 'fast-check'
import { expect, test } from 'vitest'

import { lineOf, positionAt, positionsIn } from './json-positions.ts'

test('every value of any JSON is found at its position', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent)
      const { positions, error } = positionsIn(` ${text}\n`)
      expect(error).toBeUndefined()
      for (const [pointer, [from, to]] of positions) {
        const steps = pointer.split('/').slice(1)
        const value = steps.reduce<unknown>(
          (inner, step) =>
            (inner as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
          JSON.parse(text),
        )
        expect(JSON.parse(` ${text}\n`.slice(from, to))).toEqual(value)
      }
    }),
  )
})

test('text that is not JSON is reported with the position of its first error', () => {
  for (const [text, rest] of [
    ['{"all": [', ''],
    ['{"all": [1,]}', ']}'],
    ['{"all": [1 2]}', '2]}'],
    ['{"all": [],}', '}'],
    ['{all: []}', 'all: []}'],
    ['{"a": 01}', '1}'],
    ['{"a": "x\ny"}', '"x\ny"}'],
    ['[1] x', 'x'],
    ['', ''],
  ] as const) {
    expect(() => JSON.parse(text)).toThrow()
    expect([text, text.slice(positionsIn(text).error ?? -1)]).toEqual([text, rest])
  }
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', ']', 'x'), (json, at, slip) => {
      const position = at % (json.length + 1)
      const text = json.slice(0, position) + slip + json.slice(position + 1)
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      expect([text, positionsIn(text).error === undefined]).toEqual([text, isJson])
    }),
  )
})

test('a missing value is located where it should be', () => {
  const json = '{\n  "all": [\n    {"user": "name"}\n  ]\n}'
  const positions = positionsIn(json)
  const [from, to] = positionAt(positions, '/all/0/value/1')
  expect(json.slice(from, to)).toBe('{"user": "name"}')
  expect(lineOf(json, from)).toBe(3)
  expect(positionAt(positionsIn('{'), '/all')).toEqual([0, 0])
})
