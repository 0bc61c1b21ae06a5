import { expect, test } from 'vitest'

import { asRefusal } from './problem.ts'

const error = (fields: object, message = '') => Object.assign(new Error(message), fields)
const notChanged = /cannot reach its database right now\. Nothing was changed/
const notKnown = /lost its database while it answered\. A change may have been made/

test.each([
  ['no socket, of a PostgreSQL that is being started', { code: 'ENOENT', syscall: 'connect' }, notChanged],
  ['a socket that nobody listens to', { code: 'ECONNREFUSED', syscall: 'connect' }, notChanged],
  ['a connection that was not made in time', { code: 'ETIMEDOUT', syscall: 'connect' }, notChanged],
  ['a connection that was cut', { code: 'ECONNRESET', syscall: 'read' }, notKnown],
  ['a PostgreSQL that recovers', { code: '57P03' }, notChanged],
  ['a PostgreSQL that stops', { code: '57P01' }, notKnown],
  ['a disk that fails', { code: '58030' }, notChanged],
])('%s is answered with 503', (_, fields, detail) => {
  const refusal = asRefusal(error(fields))
  expect(refusal?.status).toBe(503)
  expect(refusal?.message).toMatch(detail)
})

test('a disk that can only be read is answered with 503, and a missing right is a bug', () => {
  const refusal = asRefusal(
    error({ code: '42501' }, 'could not extend file "base/5/1": Read-only file system'),
  )
  expect(refusal?.status).toBe(503)
  expect(asRefusal(error({ code: '42501' }, 'permission denied for table users'))).toBeUndefined()
})

test('a file that is not there is a bug', () => {
  expect(asRefusal(error({ code: 'ENOENT', syscall: 'open' }))).toBeUndefined()
})
