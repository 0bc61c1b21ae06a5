import { expect, test } from 'vitest'

import { propertyWarnings } from './property-warnings.ts'

test('the header has at most 2,048 bytes, separators included', () => {
  const lengths = Array.from({ length: 40 }, (_, extra) => {
    const warnings = Array.from({ length: 20 }, (__, index) => ({
      code: 'known_sensitive' as const,
      entity: 'person',
      key: `${'k'.repeat(40 + extra)}${index}`,
    }))
    const header = propertyWarnings(warnings)['property-warnings'] ?? ''
    return header.length
  })
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2048)
  expect(Math.max(...lengths)).toBeGreaterThan(1900)
})
