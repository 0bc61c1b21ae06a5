import fc from 'fast-check'
import { expect, test } from 'vitest'

import { type Endpoint, endpoints, problem } from '#contract/index.ts'

import { operations, problemReply } from './operations.ts'
import { misfit } from './read.ts'
import { webhookOperations } from './webhook-operations.ts'

const all = { ...operations, ...webhookOperations }

const replies = [
  ...Object.entries<Endpoint>(endpoints).flatMap(([name, { reply }]) =>
    reply ? [[name, reply, all[name as keyof typeof all].reply ?? {}] as const] : [],
  ),
  ['problem', problem, problemReply] as const,
]

const words = [
  'id',
  'key',
  'type',
  'properties',
  'users',
  'eventtime',
  'api',
  'features',
  'errors',
  'pointer',
  'value',
]
const scalar = fc.oneof(fc.string(), fc.constant(null), fc.boolean(), fc.integer())
/** JSON that is often nearly right: the members that the contract knows, with and without sense. */
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words, '__proto__', 'constructor'), tie('json'), { maxKeys: 8 }),
    fc.record({
      id: fc.string(),
      type: fc.string(),
      key: fc.string(),
      properties: tie('json'),
      eventtime: fc.string(),
    }),
  ),
}))

// The contract's own schema is the judge: what the reader lets through, and what it puts in its place, is the same.
test.each(replies)('%s is read as the contract reads it', (_, contract, schema) => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      const read: unknown = JSON.parse(text)
      const place = misfit(schema, read)
      const judged = contract.safeParse(JSON.parse(text))
      expect(place === undefined, `at ${place}`).toBe(judged.success)
      if (judged.success) expect(JSON.stringify(read)).toEqual(JSON.stringify(ordered(judged.data, read)))
    }),
    { numRuns: 500 },
  )
})

/** The same content with members in the order of `like`: order carries no meaning. */
function ordered(value: unknown, like: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(like))
    return value.map((item, index) => ordered(item, like[index]))
  if (typeof value !== 'object' || value === null || typeof like !== 'object' || like === null) return value
  const keys = [...new Set([...Object.keys(like), ...Object.keys(value)])]
  return Object.fromEntries(
    keys
      .filter((key) => Object.hasOwn(value, key))
      .map((key) => [key, ordered(Reflect.get(value, key), Reflect.get(like, key))]),
  )
}

test('a misfit is named by its place', () => {
  const page = { users: [{ id: 'a' }, { id: 7 }] }
  expect(misfit(operations.listUsers.reply ?? {}, page)).toBe('/users/1/id')
})
