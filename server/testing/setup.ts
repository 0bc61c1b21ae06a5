import { vi } from 'vitest'

import { fastestFolder } from './folder.ts'

process.env.TMPDIR = fastestFolder()

// Vitest's default of one second is not enough on a busy machine.
const { waitFor } = vi
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout: 60_000, ...(typeof options === 'number' ? { timeout: options } : options) })
