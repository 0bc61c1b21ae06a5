import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { entitiesQuery } from './entities.ts'
import { segmentsQuery } from './segments.ts'
import { aboutUser, forgetUsers, userListsKey, userQuery } from './users.ts'

test('many writes drop everything that was read about any user', () => {
  const client = new QueryClient()
  const ofUsers = [userQuery('1'), entitiesQuery('1')].map(({ queryKey }) => queryKey)
  for (const queryKey of [
    ...ofUsers,
    [...userListsKey, ''],
    [...aboutUser('1'), 'now', 'activity'],
    ['jobs'],
  ])
    client.setQueryData(queryKey, 'read')
  client.setQueryData(segmentsQuery().queryKey, [])
  forgetUsers(client)
  const kept = client.getQueryCache().getAll()
  expect(kept.map(({ queryKey }) => queryKey)).toEqual([['jobs'], segmentsQuery().queryKey])
})
