import { afterAll, beforeAll } from 'vitest'

import { startTestService, type TestService } from './service.ts'

/** The service of a file of tests, or of a `describe`: started before the first of them, closed after the last. */
export function testService(options?: Parameters<typeof startTestService>[0]): TestService {
  const service = {} as TestService
  beforeAll(async () => {
    Object.assign(service, await startTestService(options))
  })
  afterAll(() => service.close())
  return service
}
