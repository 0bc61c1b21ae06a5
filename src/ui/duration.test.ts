import { beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => vi.resetModules())

test.each([
  ['en-US', '1.3 sec', '1,234 days'],
  ['de-DE', '1,3 sec', '1.234 days'],
])(
  'in %s the digits are written as numbers are there, the unit as the catalogue does',
  async (locale, said, long) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(locale)
    const { duration } = await import('./duration.ts')
    expect(duration(1300)).toBe(said)
    expect(duration(120)).toBe('120 ms')
    expect(duration(1234 * 86_400_000)).toBe(long)
  },
)
