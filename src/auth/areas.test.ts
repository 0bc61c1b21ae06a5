import { expect, test } from 'vitest'

import { endpoints } from '#contract/index.ts'
import { areas } from './areas.ts'

test('the jobs are in the navigation of those who may list them', () => {
  expect(areas.find(({ path }) => path === 'jobs')?.scopes).toEqual(endpoints.listJobs.needs)
})
