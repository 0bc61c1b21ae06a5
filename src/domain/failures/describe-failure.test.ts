import { expect, test } from 'vitest'

import { refusals } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { describe } from './describe-failure.ts'

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

test('a missing scope, a busy service and a fault of the page are distinguished', () => {
  expect(describe(new ApiError({ status: 403, detail: 'users:write' }))).toContain(
    'can’t create or change users',
  )
  expect(describe(new ApiError({ status: 503, retryAfterSeconds: 2 }))).toBe(
    'The service is busy. Try again in 2 seconds.',
  )
  expect(describe(new TypeError('x is undefined'))).toContain('went wrong on this page')
})

test('a refusal reaches people in words of the catalogue, unless its detail carries a value', () => {
  /** Codes with texts of their own in the dialogs that delete a user, and that look for a deleted one. */
  const ofOneScreen = new Set(['personal_reference', 'reference_required', 'digests_not_kept'])
  const byDetail = Object.entries(refusals)
    .filter(([code]) => !ofOneScreen.has(code))
    .filter(
      ([code, status]) =>
        describe(new ApiError({ status, code, detail: 'Of the service.' })) === 'Of the service.',
    )
    .map(([code]) => code)
  expect(byDetail).toEqual([
    // These two come with `errors`, each of which has its own text.
    'invalid_after',
    'invalid_parameter',
    // The details of these three contain names of segments, numbers and a date.
    'segment_in_use',
    'too_many_jobs',
    'too_many_users',
    // The details of this one say which row of a file cannot be read.
    'unreadable_file',
    // This one comes with `errors`, too.
    'validation',
  ])
})

test('an invalid place is named by its code, or else in the words of the service', () => {
  const at = (code: string) =>
    new ApiError({
      status: 422,
      code: 'validation',
      errors: [{ pointer: '/x', code, detail: 'Of the service.' }],
    })
  expect(describe(at('unknown_target'))).toBe(
    'This user or entity doesn’t exist. Someone may have deleted it.',
  )
  expect(describe(at('too_many_properties'))).toBe('Of the service.')
})
