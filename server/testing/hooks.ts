import { afterAll, beforeAll } from 'vitest'

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
