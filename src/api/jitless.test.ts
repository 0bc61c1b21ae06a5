import './jitless.ts'

import * as z from 'zod'
import { expect, test } from 'vitest'

test('zod takes the setting that was there before it', () => {
  expect(z.config().jitless).toBe(true)
})
