import { vi } from 'vitest'

import { fastestFolder } from './folder.ts'

process.env.TMPDIR = fastestFolder()

// A second, which is what Vitest allows, is not enough on a machine that has other work.
const { waitFor } = vi
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout: 60_000, ...(typeof options === 'number' ? { timeout: options } : options) })
