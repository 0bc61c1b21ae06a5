import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { JsonNumber } from '#contract/index.ts'
import { parseJson } from './json.ts'
import { Refusal } from './problem.ts'

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
