import { expect, test } from 'vitest'

import { ApiError } from '../../api/index.ts'
import { describe } from './describe.ts'

const errors = [
  { pointer: '/name', code: 'x', detail: 'Too long.' },
  { pointer: '/owner', code: 'x', detail: 'Unknown.' },
]

test('the service has its say, and the screen says what is safe', () => {
  const error = new ApiError({ status: 409, detail: 'Others use it.' })
  expect(describe(error, { other: 'Never seen.', kept: 'What you typed is kept.' })).toBe(
    'Others use it. What you typed is kept.',
  )
})

test('a screen says in its own words what is gone, and what to do after a lost answer', () => {
  const own = { missing: { body: 'The user is gone.' }, lost: { body: 'Saving again does no harm.' } }
  expect(describe(new ApiError({ status: 404, detail: 'not found' }), own)).toBe('The user is gone.')
  expect(describe(new ApiError({ status: 0, code: 'timeout', outcomeUnknown: true }), own)).toBe(
    'Saving again does no harm.',
  )
})

test('an error shown at a field of a form is not repeated', () => {
  const error = new ApiError({ status: 422, detail: 'The body does not fit.', errors })
  expect(describe(error, { rest: ['Unknown.'], invalid: 'It is marked.' })).toBe('Unknown. It is marked.')
  expect(describe(error)).toBe('Too long. Unknown.')
})

test('a missing scope, a busy service and a fault of the page are told apart', () => {
  expect(describe(new ApiError({ status: 403, detail: 'users:write' }))).toContain(
    'may not create or change users',
  )
  expect(describe(new ApiError({ status: 503, retryAfterSeconds: 2 }))).toBe(
    'The service is busy. Try again in 2 seconds.',
  )
  expect(describe(new TypeError('x is undefined'))).toContain('fault of its own')
})
