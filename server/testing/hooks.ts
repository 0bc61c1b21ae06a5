import { afterAll, beforeAll, expect, vi } from 'vitest'

import type { Dictionary, Role } from '#contract/index.ts'
import { startTestService, type TestService } from './service.ts'

/** Provides a service to a test file or a `describe`: started before the first test, closed after the last. */
export function testService(options?: Parameters<typeof startTestService>[0]): TestService {
  const service = {} as TestService
  beforeAll(async () => {
    Object.assign(service, await startTestService(options))
  })
  afterAll(() => service.close())
  return service
}

/**
 * Returns the dictionary once it counts everything stored before the call. A service keeps its counts for a while, those
 * of an earlier test too, and a slow count goes on in the background.
 */
export async function readCounts(
  service: Pick<TestService, 'call'>,
  role: Role = 'admin',
): Promise<Dictionary> {
  const stored = new Date().toISOString()
  return await vi.waitFor(
    async () => {
      const { body } = await service.call(role, 'GET', '/dictionary')
      expect((body as Dictionary).made ?? '').toSatisfy((made: string) => made >= stored)
      return body
    },
    { timeout: 60_000 },
  )
}
