import { expect, test } from 'vitest'

import { type EndpointName, endpoints, readNewValue } from '#contract/index.ts'
import { requestExamples } from './request-examples.ts'
import { badBody, parseInput } from './validation.ts'

const read = (name: string, body: unknown) =>
  parseInput(endpoints[name as 'createUser'].body, structuredClone(body), badBody)

interface Altered {
  readonly place: string
  readonly withNull: unknown
  readonly without: unknown
}

/** Yields copies of a body, each with null in place of one member of an object, and without that member. */
function* alter(value: unknown, place = ''): Generator<Altered> {
  if (typeof value !== 'object' || value === null) return
  for (const [member, inner] of Object.entries(value)) {
    const put = (given: object) =>
      Array.isArray(value) ? Object.assign([...(value as unknown[])], given) : { ...value, ...given }
    if (!Array.isArray(value)) {
      const { [member]: _, ...without } = value as Record<string, unknown>
      yield { place: `${place}/${member}`, withNull: put({ [member]: null }), without }
    }
    for (const deeper of alter(inner, `${place}/${member}`))
      yield {
        place: deeper.place,
        withNull: put({ [member]: deeper.withNull }),
        without: put({ [member]: deeper.without }),
      }
  }
}

/** Places at which null has a meaning of its own: a value that is none, all types of events, nothing to be cleared. */
const ownMeaning =
  /^(?:patchUser\/(?:email|name|ref|since)|createUser\/(?:email|name|ref)|patchSubscription\/(?:types|description)|.*\/value(?:\/.*)?|mapImport.*\/words\/none)$/

test.each(Object.entries(requestExamples))(
  '%s takes null for absent wherever a member may be absent',
  (name, example) => {
    for (const { place, withNull, without } of alter(example)) {
      if (ownMeaning.test(name + place)) continue
      let expected: unknown
      try {
        expected = read(name, without)
      } catch {
        continue
      }
      expect([place, read(name, withNull)]).toEqual([place, expected])
    }
  },
)

const users = ['createUser', 'patchUser'] satisfies EndpointName[]
test.each(users)('%s clears e-mail, name and ref with null', (name) => {
  expect(read(name, { email: null, name: null, ref: null })).toEqual({ email: '', name: '', ref: '' })
})

test('since cannot be cleared by a change, and a creation without it is one of now', () => {
  const detail = 'A user always has one: leave it out to keep it.'
  expect(() => read('patchUser', { since: null })).toThrow(
    expect.objectContaining({ errors: [{ pointer: '/since', code: 'invalid', detail }] }),
  )
  expect(read('createUser', { since: null })).toEqual({})
})

test('the optional parts of a value may be null', () => {
  const user = '0199e3a0-5b6c-7d10-8a42-1f0c9d3b7e01'
  expect(readNewValue('RELATIONSHIP', { user, entity: null })).toEqual({ value: { user } })
  expect(readNewValue('PREFERENCE', { status: 'DENIED', statusDate: null, expires: null })).toEqual({
    value: { status: 'DENIED' },
  })
  expect(readNewValue('RELATIONSHIP', { user: null })).toHaveProperty('issues')
})
