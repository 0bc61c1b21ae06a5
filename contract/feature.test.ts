import { expect, test } from 'vitest'

import { features, isFullService, setUpFeatures } from './feature.ts'

test('a service is full with every addition of this release, whatever else it has', () => {
  expect(isFullService(features)).toBe(true)
  expect(isFullService({ ...features, 'users.merge': 1 })).toBe(true)
})

test('a service is bare without one addition, with another version of it, or with none at all', () => {
  const { webhooks: _, ...withoutWebhooks } = features
  expect(isFullService(withoutWebhooks)).toBe(false)
  expect(isFullService({ ...features, webhooks: 2 })).toBe(false)
  expect(isFullService({})).toBe(false)
})

test('settings of a service make it neither full nor bare', () => {
  const isSetUp = (name: string) => setUpFeatures.some((each) => each === name)
  const withoutSettings = Object.fromEntries(Object.entries(features).filter(([name]) => !isSetUp(name)))
  expect(isFullService(withoutSettings)).toBe(true)
  expect(isFullService(Object.fromEntries(setUpFeatures.map((name) => [name, 1])))).toBe(false)
})
