import { expect, test } from 'vitest'

import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const service = testService()

/** Line breaks and other control characters, as they come from forms, spreadsheets and terminals. */
const broken = ['A\nB', 'A\r\nB', 'A\tB', 'A\u0085B', 'A\u2028B', 'A\u2029\u000bB', 'A\u0007B']

test.each(broken)('%j becomes one line in the names of users, segments and webhooks', async (name) => {
  const call = (method: string, path: string, body?: object) => service.call('admin', method, path, body)
  const user = `/users/${idOf(await call('POST', '/users', { name }))}`
  expect(await call('GET', user)).toMatchObject({ body: { name: 'A B' } })
  await call('PATCH', user, { name: 'Other' })
  await call('PATCH', user, { name })
  expect(await call('GET', user)).toMatchObject({ body: { name: 'A B' } })

  const segment = `/segments/${idOf(await call('POST', '/segments', { name, filter: { all: [] } }))}`
  expect(await call('GET', segment)).toMatchObject({ body: { name: 'A B' } })
  await call('PUT', segment, { name: `${name}\n`, filter: { any: [] } })
  expect(await call('GET', segment)).toMatchObject({ body: { name: 'A B', filter: { any: [] } } })

  const url = 'https://example.org/hooks'
  const { body } = await call('POST', '/subscriptions', { url, description: name })
  const subscription = `/subscriptions/${(body as { id: string }).id}`
  expect(await call('GET', subscription)).toMatchObject({ body: { description: 'A B' } })
  await call('DELETE', subscription)
})

test.each(broken)('%j is refused as the label of a definition, with what to do', async (label) => {
  const answer = await service.call('admin', 'PUT', '/definitions/car', { label: { en: label } })
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/label/en', detail: expect.stringContaining('in one line') }] },
  })
})
