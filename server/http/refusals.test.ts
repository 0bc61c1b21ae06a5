import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'

import { type Endpoint, endpoints, maxBodyBytes, maxBodyValues, type Problem } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const maxRefusalBytes = 64 * 1024

const service = testService()
let address: string
let authorization: string
beforeAll(async () => {
  address = `http://127.0.0.1:${(await service.listen()).port}/api`
  authorization = `Bearer ${await service.token('admin')}`
})

const fill = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`
const manyOf = (of: (at: number) => string, bytes: number) => {
  const parts: string[] = []
  for (let at = 0, size = 0; size < bytes; at++) {
    const part = of(at)
    parts.push(part)
    size += part.length + 1
  }
  return parts.join(',')
}
const nest = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth)

/**
 * Limits of the wrong bodies, which are cheap to send but expensive to refuse: a megabyte, and the maximum number of
 * values in a body.
 */
const room = maxBodyBytes - 500
const most = maxBodyValues - 20
const wrongThings: Readonly<Record<string, string>> = {
  'half a million numbers': fill('1', room / 2),
  'numbers, as many as are read': fill('1', most),
  'objects, as many as are read': fill('{}', most),
  'texts, as many as are read': fill('""', most),
  'lists of lists': fill(nest(20, '1'), Math.floor(most / 21)),
  'unknown fields, as many as are read': `{${manyOf((at) => `"${at.toString(36)}~~~":1`, most * 10)
    .split(',')
    .slice(0, most)
    .join(',')}}`,
  'unknown fields with long names': `{${manyOf((at) => `"${String(at).padStart(1000, '/')}":1`, room)}}`,
  'one field with a very long name': `{"${'~'.repeat(room - 10)}":1}`,
  'a very long text': `"${'\\n'.repeat(room / 2 - 10)}"`,
  'a long run of combining marks': `"${'\u0301\u0323'.repeat(room / 4 - 10)}"`,
  'a number of a million digits': `0.1${'0'.repeat(room - 10)}1`,
  'what nests deeper than anything': nest(60, '1'),
}

/** A place in a body, given as the text before and after it. */
interface Member {
  readonly name: string
  readonly before: string
  readonly behind: string
  /** Whether the place takes a list or an object; otherwise it takes a single value. */
  readonly holds: boolean
}

interface Described {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Described>>
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly anyOf?: readonly Described[]
}

/** Schemas of places that an earlier body had under the same name: they are refused in the same way, so once is enough. */
const reached = new Set<string>()

/** Returns the whole body of a schema and the places down to two levels below; omits members that accept anything. */
function membersOf(schema: z.ZodType): Member[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described
  const below = (part: Described, name: string, before: string, behind: string, depth: number): Member[] => {
    const own = part.$ref ? (described.$defs?.[part.$ref.replace('#/$defs/', '')] ?? part) : part
    const place = { name, before, behind, holds: Boolean(own.properties ?? own.items) }
    const shape = JSON.stringify([name, own, depth])
    if (name !== '' && reached.has(shape)) return []
    reached.add(shape)
    if (depth === 0) return [place]
    const members = Object.entries(own.properties ?? {}).filter(([, each]) => Object.keys(each).length > 0)
    return [
      place,
      ...members.flatMap(([key, each]) =>
        below(each, `${name}/${key}`, `${before}{"${key}":`, `}${behind}`, depth - 1),
      ),
      ...(own.items ? below(own.items, `${name}/0`, `${before}[`, `]${behind}`, depth - 1) : []),
      ...(own.anyOf ?? []).flatMap((each) => below(each, name, before, behind, depth)),
    ]
  }
  return below(described, '', '', '', 2)
}

async function send(method: string, path: string, body: string) {
  const startedMs = performance.now()
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body,
    redirect: 'manual',
  })
  const text = await response.text()
  return { status: response.status, bytes: Buffer.byteLength(text), text, ms: performance.now() - startedMs }
}

const id = '0190a0a0-0000-7000-8000-000000000000'
const withBody = Object.entries<Endpoint>(endpoints).flatMap(([name, { method, path, body }], at, all) =>
  body && all.findIndex(([, other]) => other.body === body) === at
    ? [{ name, method, path: path.replaceAll(/\{\w+\}/g, id), body }]
    : [],
)

/** At least ten times the slowest refusal on a quiet machine. Some refusals used to take minutes. */
const soonMs = 4000

/** Names of the bodies that are also sent where a single value is expected. */
const wrongValues = /numbers, as|text|marks|digits/

async function refuseEach(method: string, path: string, { name, before, behind, holds }: Member) {
  for (const [what, wrong] of Object.entries(wrongThings)) {
    if (!holds && !wrongValues.test(what)) continue
    const answer = await send(method, path, before + wrong + behind)
    const of = `${what} at ${name === '' ? 'all of the body' : name}`
    const kept = {
      status: answer.status < 500,
      size: answer.bytes <= maxRefusalBytes,
      time: answer.ms < soonMs,
    }
    expect({ of, ...kept, answer }).toMatchObject({ of, status: true, size: true, time: true })
  }
}

describe('a megabyte of the cheapest wrong thing', () => {
  test.each(withBody)('is refused in few words, and soon: $name', async ({ method, path, body }) => {
    for (const place of membersOf(body)) await refuseEach(method, path, place)
  })

  test.each(['TEXT', 'NUMBER', 'DECIMAL', 'CURRENCY', 'DATETIME', 'EMAIL', 'URL', 'PREFERENCE'])(
    'is refused in few words, and soon, as a value of type %s',
    async (type) => {
      const property = `{"type":"person","properties":[{"key":"k","type":"${type}","value":`
      const value = { name: 'value', before: property, behind: '}]}', holds: false }
      await refuseEach('POST', `/users/${id}/entities`, value)
      const listed = `{"filter":{"entity":"person","where":[{"key":"k","type":"${type}","op":"in","value":[`
      const operand = { name: 'operand', before: listed, behind: ']}]}}', holds: false }
      await refuseEach('POST', '/segments/preview', operand)
    },
  )
})

describe('a body within the limits', () => {
  const record = { status: 'GRANTED', statusDate: '2024-03-01T09:30:00Z', expires: '2030-03-01T09:30:00Z' }
  const property = { id, version: 'x', type: 'PREFERENCE', sensitive: false, masked: false, value: record }
  const properties = Array.from({ length: 500 }, (_, at) => ({ ...property, key: `key ${at}` }))
  const amounts = Array.from({ length: 100 }, (_, at) => ({ currency: 'EUR', value: `${at}.50` }))
  const amountTest = { key: 'k', type: 'CURRENCY', op: 'in', value: amounts, orMissing: true }
  const nested = (where: object[]) => ({ not: { not: { not: { not: { entity: 'car', where, min: 1 } } } } })
  const leaf = nested([amountTest])
  const empty = nested([{ key: 'k', type: 'TEXT', op: 'exists' }])

  test('passes with all the properties and tests that there may be', async () => {
    const created = await service.call('admin', 'POST', '/users', { email: 'a@example.org', properties })
    expect(created.status).toBe(201)
    const filter = {
      all: [...Array.from({ length: 40 }, () => empty), ...Array.from({ length: 10 }, () => leaf)],
    }
    const { status } = await service.call('admin', 'POST', '/segments', { name: 'All', filter })
    expect(status).toBe(201)
  })

  test('is refused above the limit of values, which the refusal states', async () => {
    const { status, body } = await service.call('admin', 'POST', '/users', Array(maxBodyValues).fill(1))
    expect(status).toBe(413)
    expect((body as Problem).detail).toContain('20,000')
  })
})

test('lists a hundred errors and says how many there are', async () => {
  const properties = Array.from({ length: 500 }, () => ({ key: 'k', type: 'TEXT', unknown: 1 }))
  const { status, body } = await service.call('admin', 'POST', `/users/${id}/entities`, {
    type: 'person',
    properties,
  })
  const { errors, errorCount, detail } = body as Problem
  expect({ status, listed: errors?.length, errorCount }).toEqual({
    status: 422,
    listed: 100,
    errorCount: 999,
  })
  expect(detail).toContain('999 fields are not acceptable')
  expect(detail).toContain('first 100')
})

test('names some of many segments that use one', async () => {
  const add = async (name: string, filter: unknown) => {
    return await service.create('admin', '/segments', { name, filter })
  }
  const used = await add('Used', { all: [] })
  for (let at = 0; at < 90; at++) await add(`${at} ${'😀'.repeat(90)}`, { segment: used })
  const answer = await send('DELETE', `/segments/${used}`, '{}')
  expect(answer.status).toBe(409)
  expect(answer.bytes).toBeLessThanOrEqual(maxRefusalBytes)
  expect(answer.text).toContain('and 70 more')
})
