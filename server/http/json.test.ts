import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { JsonNumber, maxBodyValues } from '#contract/index.ts'
import { Refusal } from './errors/problem.ts'
import { parseJson } from './json.ts'

const parse = (text: string) => parseJson(new TextEncoder().encode(text))

function refusal(text: string | Uint8Array): Refusal {
  try {
    parseJson(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('parseJson', () => {
  test('reads what JSON.stringify writes, as JSON.parse does', () => {
    const storable = fc.jsonValue().filter((value) => {
      const text = JSON.stringify(value)
      return !/\\u0000|\\ud[89a-f]|__proto__/i.test(text)
    })
    fc.assert(
      fc.property(storable, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const plain = JSON.stringify(parse(text), (_key, each: unknown) =>
          each instanceof JsonNumber ? Number(each.source) : each,
        )
        expect(plain).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 2000 },
    )
  })

  test('agrees with JSON.parse on what is not JSON', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '.5',
      'e1',
      'true',
      'nul',
      ' ',
      '\\',
      '\t',
      '\u0001',
    )
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        if (valid) parse(text)
        else expect(refusal(text).status).toBe(400)
      }),
      { numRuns: 5000 },
    )
  })

  test('keeps the spelling of numbers that a double would change', () => {
    expect(parse('[1, -0.5, 1e21, 12.340, 1e400, 123456789012345678901234567890]')).toEqual([
      1,
      -0.5,
      new JsonNumber('1e21'),
      new JsonNumber('12.340'),
      new JsonNumber('1e400'),
      new JsonNumber('123456789012345678901234567890'),
    ])
  })

  test.each([
    ['a duplicate key', '{"a":1,"b":{"c":1,"c":2}}', 400, '/b/c'],
    ['__proto__', '{"a":[{"__proto__":{}}]}', 400, '/a/0/__proto__'],
    ['NUL', '{"a":["x","\\u0000"]}', 422, '/a/1'],
    ['a lone surrogate', '{"a":"\\ud800"}', 422, '/a'],
  ])('refuses %s at its place', (_what, text, status, pointer) => {
    expect(refusal(text)).toMatchObject({ status, errors: [{ pointer }] })
  })

  test('refuses bad UTF-8, and depth beyond 64 without exhausting the stack', () => {
    expect(refusal(Uint8Array.of(0x22, 0xff, 0x22)).status).toBe(400)
    expect(parse('['.repeat(64) + ']'.repeat(64))).toBeInstanceOf(Array)
    expect(refusal('['.repeat(65) + ']'.repeat(65)).status).toBe(400)
    expect(refusal('['.repeat(1_000_000)).status).toBe(400)
  })

  test('says where, and quotes nothing', () => {
    const { message } = refusal('{\n  "name": "canary" oops }')
    expect(message).toBe('The body is not JSON: see line 2, column 20.')
  })
})

describe('a body with too much in it', () => {
  const code = (text: string) => refusal(text).code
  /** Values in a text of valid JSON, counted by going through them. */
  const count = (value: unknown): number =>
    1 +
    (typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, each) => sum + count(each), 0)
      : 0)

  test('is refused before it is read, whatever else is wrong with it', () => {
    const full = `1,`.repeat(maxBodyValues)
    expect(code(`[${full}1]`)).toBe('too_many_values')
    expect(code(`{"a":1,"a":[${full}`)).toBe('too_many_values')
    expect(code(`{"a":1,"a":${'['.repeat(70)}`)).toBe('invalid_json')
    expect(refusal(`{"a":1,"a":${'['.repeat(70)}`).message).toContain('64 levels')
  })

  test('has exactly so many values, however they are written and nested', () => {
    const fill = (value: unknown, more: number) => [value, ...Array.from({ length: more }, () => 0)]
    fc.assert(
      fc.property(
        fc
          .jsonValue({ maxDepth: 6 })
          .filter((value) => !/\\u0000|\\ud|__proto__/i.test(JSON.stringify(value))),
        fc.constantFrom(undefined, 1, '\t'),
        (value, indent) => {
          const room = maxBodyValues - 1 - count(value)
          expect(parse(JSON.stringify(fill(value, room), undefined, indent))).toHaveLength(room + 1)
          expect(code(JSON.stringify(fill(value, room + 1), undefined, indent))).toBe('too_many_values')
        },
      ),
      { numRuns: 40 },
    )
  })

  test.each([
    ['commas in a text', `"${','.repeat(50_000)}"`],
    ['brackets in a text', `"${'[{'.repeat(50_000)}"`],
    ['quotes in a text', `"${String.raw`\",[`.repeat(50_000)}"`],
    ['a backslash at the end of a text', `["\\\\",${'1,'.repeat(100)}"${','.repeat(50_000)}"]`],
    ['blanks between', `[${' \n\t'.repeat(50_000)}]`],
    ['many empty objects', `[${'{},'.repeat(maxBodyValues - 2)}{}]`],
  ])('does not lie in %s', (_, text) => {
    expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)))
  })
})

test('each member of the outermost object is announced before its value is read', () => {
  const seen: string[] = []
  parseJson(Buffer.from('{"a":{"b":1},"c":[{"d":2}]}'), (name) => seen.push(name))
  expect(seen).toEqual(['a', 'c'])
  expect(() =>
    parseJson(Buffer.from('{"a":1,"b":nonsense'), (name) => {
      if (name === 'b') throw new Error('seen')
    }),
  ).toThrow('seen')
})
