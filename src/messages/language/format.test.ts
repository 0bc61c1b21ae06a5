import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test.each([
  ['de-DE', '8.031', '1 Mar 2024, 09:30:00 UTC'],
  ['en-GB', '8,031', '1 Mar 2024, 09:30:00 UTC'],
  ['ar-EG', '8,031', '1 Mar 2024, 09:30:00 UTC'],
  ['en-US', '8,031', 'Mar 1, 2024, 09:30:00 UTC'],
  // Invalid language tag, which a browser without a configured language may report.
  ['C.UTF-8', '8,031', 'Mar 1, 2024, 09:30:00 UTC'],
])(
  'in a browser that is set to %s, numbers and dates are written as there, in English',
  async (language, count, date) => {
    vi.stubGlobal('navigator', { language })
    vi.resetModules()
    const { number } = await import('./format.ts')
    const { exactTime, instantMs } = await import('../../ui/time.ts')
    expect(number(8031)).toBe(count)
    expect(exactTime(Date.UTC(2024, 2, 1, 9, 30), 'utc')).toBe(date)
    expect(instantMs('2024-03-01T00:00:00.000', 'Europe/Berlin')).toBe(Date.UTC(2024, 1, 29, 23))
  },
)
