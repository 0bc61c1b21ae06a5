import { expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { type LogSearch, createLogSearch, searchLog } from './log-search.ts'

const start = Date.parse('2026-01-01T00:00:00.000Z')

/** Creates a log with one event an hour. `about`: types of the events about user "a", by position. */
function logOf(count: number, about: ReadonlyMap<number, string>) {
  const reads: number[] = []
  const events = Array.from({ length: count }, (_, position): Event => {
    const type = about.get(position)
    return {
      id: `e${position}` as Event['id'],
      eventtime: new Date(start + position * 3_600_000).toISOString(),
      type: type ?? 'DIRECT_DATA_CHANGE',
      properties: { user: type === undefined ? 'b' : 'a' },
    }
  })
  const readPage = async (offset: number) => {
    reads.push(offset)
    return events.slice(offset, offset + 100)
  }
  return { reads, place: { userId: 'a', createdMs: undefined, readPage } }
}

async function all(search: AsyncGenerator<LogSearch>): Promise<LogSearch | undefined> {
  let last: LogSearch | undefined
  for await (last of search);
  return last
}

test('finds all of a user, newest first, and stops where the user was created', async () => {
  const { place, reads } = logOf(
    2345,
    new Map([
      [2344, 'USER_UPDATED'],
      [2299, 'DIRECT_DATA_CHANGE'],
      [1700, 'USER_CREATED'],
    ]),
  )
  const end = await all(searchLog(place, createLogSearch(2345), 2345))
  expect(end).toMatchObject({ from: 1700, to: 2345, complete: true })
  expect(end?.events.map(({ id }) => id)).toEqual(['e2344', 'e2299', 'e1700'])
  expect(reads.every((offset) => offset % 100 === 0)).toBe(true)
  expect(new Set(reads).size).toBe(reads.length)
})

test('without a creation it ends at the beginning, or where all happened before there was the user', async () => {
  const { place } = logOf(1000, new Map([[900, 'USER_UPDATED']]))
  expect(await all(searchLog(place, createLogSearch(1000), 1000))).toMatchObject({ from: 0, complete: true })
  const createdMs = start + 850 * 3_600_000
  const end = await all(searchLog({ ...place, createdMs }, createLogSearch(1000), 1000))
  // Events are an hour apart: all events of the page starting at 700 happened before the user was created, by more than
  // the allowed clock difference.
  expect(end).toMatchObject({ from: 700, complete: true })
})

test('continues where it was, first with the events since then', async () => {
  const { place } = logOf(
    1050,
    new Map([
      [1040, 'USER_UPDATED'],
      [990, 'USER_UPDATED'],
      [10, 'USER_UPDATED'],
    ]),
  )
  let half: LogSearch = createLogSearch(1000)
  for await (half of searchLog(place, half, 1000)) if (half.from <= 700) break
  expect(half.events.map(({ id }) => id)).toEqual(['e990'])
  const end = await all(searchLog(place, half, 1050))
  expect(end?.events.map(({ id }) => id)).toEqual(['e1040', 'e990', 'e10'])
})

test('a page that fails loses nothing that was found before', async () => {
  const { place } = logOf(
    1000,
    new Map([
      [950, 'USER_UPDATED'],
      [50, 'USER_UPDATED'],
    ]),
  )
  let fails = true
  const readPage = async (offset: number) => {
    if (offset === 800 && fails) throw new Error('gone')
    return place.readPage(offset)
  }
  let reached = createLogSearch(1000)
  await expect(async () => {
    for await (reached of searchLog({ ...place, readPage }, reached, 1000));
  }).rejects.toThrow('gone')
  expect(reached).toMatchObject({ from: 900, complete: false })
  fails = false
  const end = await all(searchLog({ ...place, readPage }, reached, 1000))
  expect(end?.events.map(({ id }) => id)).toEqual(['e950', 'e50'])
})
