// Generates requests from the API description: valid, borderline and invalid ones.
import fc from 'fast-check'

import type { Operation, Schema } from './description.ts'
import { marker, text, type Values } from './values.ts'

/** A request before its ids are known: placeholders such as `{user_id}` are replaced by an id from an earlier answer. */
export interface Plan {
  readonly caller: string
  readonly method: string
  /** Replaces the last part of the path; undefined if all ids come from earlier answers. */
  readonly oddId: string | undefined
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Unusual JSON, inserted as it is. Each placeholder, which occurs nowhere else, is replaced by its text. */
const raw: Readonly<Record<string, string>> = {
  '{huge}': '1e400',
  '{precise}': '0.1234567890123456789012345678901234567890',
  '{surrogate}': String.raw`"\ud800"`,
  '{nul}': String.raw`"a\u0000b"`,
  '{twice}': '{"key":"city","key":"iban","type":"TEXT"}',
  '{proto}': '{"__proto__":{"admin":true}}',
  '{deep}': '['.repeat(70) + ']'.repeat(70),
  '{wide}': `[${'1,'.repeat(1100)}1]`,
  '{long}': JSON.stringify(marker.repeat(24_000)),
}
const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  marker,
  [],
  {},
  [null],
  ...Object.keys(raw),
]

/** Replaces, removes or adds something at one place of a value. */
const breakValue = (value: unknown) =>
  fc
    .tuple(fc.nat(), fc.constantFrom(...odd), fc.constantFrom('replace', 'replace', 'remove', 'add'))
    .map(([at, thing, how]) => {
      const copy = { whole: structuredClone(value) }
      const places: (readonly [object, string])[] = []
      const walk = (parent: object) => {
        for (const [key, child] of Object.entries(parent)) {
          places.push([parent, key])
          if (typeof child === 'object' && child !== null) walk(child)
        }
      }
      walk(copy)
      const [parent, key] = places[at % places.length] ?? [copy, 'whole']
      if (how === 'remove') Reflect.deleteProperty(parent, key)
      else if (how === 'add') Reflect.set(parent, 'unexpected', thing)
      else Reflect.set(parent, key, thing)
      return copy.whole
    })

function jsonOf(value: unknown): string | undefined {
  return (JSON.stringify(value) as string | undefined)?.replaceAll(
    /"(\{[a-z]+\})"/g,
    (whole, name: string) => raw[name] ?? whole,
  )
}

const noJson = fc.constantFrom(
  '',
  '{',
  'hello',
  '[1,]',
  '\uFEFF{}',
  '"\u0007"',
  '{"a":01}',
  '['.repeat(10_000),
  `"${'x'.repeat(1_100_000)}"`,
)

const roles = ['support', 'steward', 'integrator', 'admin'] as const
const callers = fc.oneof(
  { weight: 12, arbitrary: fc.constant('admin') },
  { weight: 4, arbitrary: fc.constantFrom(...roles) },
  fc.constantFrom('nobody', 'garbage', 'expired', 'powerless', 'two'),
)
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const oddIds = [
  '%00',
  '..',
  '%zz',
  '%ff',
  "'",
  '0',
  'x'.repeat(101),
  'x'.repeat(5000),
  '01935bfa-1371-752d-9d0c-000000000000',
  '{',
]

/** Generates undefined `weight` times as often as a value. */
const pickSeldom = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, arbitrary)

/** Generates the requests of an operation. */
export function plansOf(method: string, operation: Operation, values: Values): fc.Arbitrary<Plan> {
  const { content = {} } = operation.requestBody ?? {}
  const schema = content['application/json']?.schema
  const fileTypes = schema ? [] : Object.keys(content)
  const takes = (name: string) =>
    operation.parameters.some((parameter) => parameter.in === 'header' && parameter.name === name)
  return fc.record({
    caller: callers,
    method: fc.oneof({ weight: 40, arbitrary: fc.constant(method) }, fc.constantFrom(...methods)),
    oddId: pickSeldom(20, fc.constantFrom(...oddIds)),
    query: queryOf(operation, values),
    headers: fc
      .record({
        'content-type':
          schema || fileTypes.length > 0
            ? fc.oneof(
                { weight: 30, arbitrary: fc.constantFrom(...(schema ? ['application/json'] : fileTypes)) },
                otherTypes,
              )
            : pickSeldom(20, otherTypes),
        'change-reason': pickSeldom(takes('Change-Reason') ? 2 : 20, reasons),
        'deletion-reference': pickSeldom(takes('Deletion-Reference') ? 2 : 20, reasons),
        'if-match': pickSeldom(takes('If-Match') ? 2 : 20, tags),
        'idempotency-key': pickSeldom(takes('Idempotency-Key') ? 2 : 20, keys),
        'last-event-id': pickSeldom(
          takes('Last-Event-ID') ? 2 : 50,
          fc.constantFrom('{event_id}', 'nonsense'),
        ),
      })
      .map((made) => Object.fromEntries(Object.entries(made).filter(isPresent))),
    body: schema
      ? bodyOf(schema, values)
      : fileTypes.length > 0
        ? files
        : pickSeldom(30, fc.constantFrom('{}', '{')),
  })
}

const otherTypes = fc.constantFrom(
  undefined,
  'text/plain',
  'application/json;charset=utf-16',
  'multipart/form-data',
  'nonsense',
)
const cells = fc.oneof(text, fc.constantFrom('Name', 'E-mail', 'a@example.org', '"', '=1+1', '', '#N/A'))
const files = fc
  .tuple(fc.array(fc.array(cells, { maxLength: 5 }), { maxLength: 8 }), fc.constantFrom(',', ';', '\t', '\0'))
  .map(([rows, separator]) => rows.map((row) => row.join(separator)).join('\n'))
const tags = fc.constantFrom('{etag}', '{etag}', '*', '"stale"', 'W/"weak"', 'garbage', '""')
const reasons = fc.constantFrom(
  'caller%20asked',
  '%F0%9F%99%82',
  'a b',
  '%',
  '%ff',
  '%00',
  '',
  'x'.repeat(501),
)
const keys = fc.constantFrom('{new}', '{new}', 'k1', 'k2', 'x'.repeat(201), ' ', 'a b')
const isPresent = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

function queryOf({ parameters }: Operation, values: Values): fc.Arbitrary<Record<string, string>> {
  const own = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, fc.oneof({ weight: 6, arbitrary: values.of(schema, name) }, text)])
  const made = fc.record(Object.fromEntries([...own, ['unknown', text]]), { requiredKeys: [] })
  return fc
    .oneof(fc.constant({}), made)
    .map((made) =>
      Object.fromEntries(Object.entries(made).map(([name, value]) => [name, String(value).toWellFormed()])),
    )
}

function bodyOf(schema: Schema, values: Values): fc.Arbitrary<string | undefined> {
  const valid = values.of(schema)
  return fc.oneof(
    { weight: 12, arbitrary: valid.map(jsonOf) },
    { weight: 5, arbitrary: valid.chain((value) => breakValue(value)).map(jsonOf) },
    { weight: 1, arbitrary: fc.oneof({ weight: 3, arbitrary: fc.jsonValue().map(jsonOf) }, noJson) },
  )
}
