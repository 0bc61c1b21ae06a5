import { expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { burstsOf, activityKind } from './bursts.ts'

let made = 0
function event(
  second: number,
  { actor = 'ana', entity = 'car', type = 'DIRECT_DATA_CHANGE', job = '' } = {},
): Event {
  made += 1
  const eventtime = new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
  return {
    id: String(made),
    type,
    eventtime,
    properties: { actor, entity, job },
    delivered: true,
  } as unknown as Event
}

const sizes = (events: readonly Event[]) => burstsOf(events).map(({ length }) => length)

test('changes that follow each other are grouped; two alone are not', () => {
  expect(sizes([event(30), event(20), event(10)])).toEqual([3])
  expect(sizes([event(30), event(20)])).toEqual([1, 1])
})

test('a longer pause, another person, another entity or another kind of event ends a burst', () => {
  const before = () => [event(30), event(20), event(10)]
  expect(sizes([event(151), ...before()])).toEqual([1, 3])
  expect(sizes([event(150), ...before()])).toEqual([4])
  expect(sizes([event(40, { actor: 'bo' }), ...before()])).toEqual([1, 3])
  expect(sizes([event(40, { entity: 'house' }), ...before()])).toEqual([1, 3])
  expect(sizes([event(40, { type: 'SENSITIVE_DATA_ACCESSED' }), ...before()])).toEqual([1, 3])
})

test('a crowd of entities that one import brought is one row', () => {
  const imported = (second: number, entity: string, job = 'a job') => event(second, { entity, job })
  expect(sizes([imported(3, 'a'), imported(2, 'b'), imported(1, 'c')])).toEqual([3])
  expect(
    sizes([imported(4, 'd', 'another job'), imported(3, 'a'), imported(2, 'b'), imported(1, 'c')]),
  ).toEqual([1, 3])
  expect(sizes([event(4), imported(3, 'car'), imported(2, 'car'), imported(1, 'car')])).toEqual([1, 3])
})

test('events without an actor are not assumed to be by one person', () => {
  const nobody = { actor: '' }
  expect(sizes([event(30, nobody), event(20, nobody), event(10, nobody)])).toEqual([1, 1, 1])
})

test('a look at sensitive values is a read, all else a change', () => {
  expect(activityKind(event(0, { type: 'SENSITIVE_DATA_ACCESSED' }))).toBe('read')
  expect(activityKind(event(0, { type: 'SENSITIVE_DATA_CHECKED' }))).toBe('read')
  expect(activityKind(event(0))).toBe('change')
})
