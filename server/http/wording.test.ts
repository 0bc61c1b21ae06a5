import { expect, test } from 'vitest'

import { dataTypes, endpoints, type Endpoint, readNewValue } from '#contract/index.ts'
import { Refusal } from './errors/problem.ts'
import { requestExamples } from './request-examples.ts'
import { badBody, parseInput } from './validation.ts'

/** Words of a validator in place of a sentence that says what to do. */
const ofValidator = /invalid|expected|received|unrecognized|too (small|big)|undefined|NaN|must match/i

const wrong: readonly unknown[] = [undefined, null, true, 5, 1.5, 'x', '', [], {}, [null], { x: 1 }]

/** Yields copies of a body, each with another value, or none, at one of its places. */
function* alter(value: unknown, path = ''): Generator<[path: string, altered: unknown]> {
  for (const other of wrong) yield [`${path} = ${JSON.stringify(other)}`, other]
  if (typeof value !== 'object' || value === null) return
  for (const [member, inner] of Object.entries(value))
    for (const [place, altered] of alter(inner, `${path}/${member}`)) {
      const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : { ...value }
      Object.assign(copy as object, { [member]: altered })
      yield [place, copy]
    }
}

function refusalsOf(schema: Endpoint['body'], body: unknown): string[] {
  try {
    // JSON drops members without a value.
    const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
    parseInput(schema, sent, badBody)
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [error.message, ...error.errors.map(({ detail }) => detail)]
  }
}

const bodies = Object.entries(requestExamples)

test.each(bodies)('%s takes its example', (name, example) => {
  expect(refusalsOf(endpoints[name as keyof typeof endpoints as 'createUser'].body, example)).toEqual([])
})

test.each(bodies)(
  '%s refuses each missing member and each wrong type in a sentence of the service',
  (name, example) => {
    const { body } = endpoints[name as 'createUser']
    for (const [place, altered] of alter(example))
      for (const detail of refusalsOf(body, altered)) {
        expect(`${place}: ${detail}`).not.toMatch(new RegExp(`: .*(${ofValidator.source})`, 'i'))
        expect(`${place}: ${detail}`).toMatch(/: \S.*[.}]$/s)
      }
  },
)

const values: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(dataTypes.map((type) => [type, 'x'])),
  CURRENCY: { currency: 'EUR', value: '1.00' },
  RELATIONSHIP: { user: '0199e3a0-5b6c-7d10-8a42-1f0c9d3b7e01', entity: 'x' },
  PREFERENCE: { status: 'GRANTED', statusDate: 'x', expires: 'x' },
}

test.each(dataTypes)(
  'a value of %s that has another type is refused in a sentence of the service',
  (type) => {
    for (const [place, altered] of alter(values[type]))
      for (const { detail } of readNewValue(type, altered).issues ?? [])
        expect(`${place}: ${detail}`).not.toMatch(new RegExp(`: .*(${ofValidator.source})`, 'i'))
  },
)
