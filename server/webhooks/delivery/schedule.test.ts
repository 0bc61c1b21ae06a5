import { describe, expect, test } from 'vitest'

import { evaluateAttempt } from './schedule.ts'

const hourMs = 3_600_000
const failed = (attempts: number, random: number, more: object = {}) =>
  evaluateAttempt(
    { status: 500, error: 'status', ...more },
    { attempts, isTest: false, random: () => random },
  )

describe('a delivery that fails', () => {
  test.each([0, 0.5, 1])('is tried ten times over about three days (jitter %d)', (random) => {
    const verdicts = Array.from({ length: 10 }, (_, index) => failed(index + 1, random))
    const waits = verdicts.flatMap((verdict) => (verdict.state === 'waiting' ? [verdict.delayMs] : []))
    expect(waits).toHaveLength(9)
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
    const totalMs = waits.reduce((sum, ms) => sum + ms, 0)
    expect(totalMs).toBeGreaterThan(60 * hourMs)
    expect(totalMs).toBeLessThan(92 * hourMs)
    expect(verdicts[9]).toEqual({ state: 'failed', disable: 'exhausted' })
  })

  test('waits as long as the receiver asks, but a day at most, and no less than it would', () => {
    expect(failed(1, 0, { retryAfterMs: hourMs })).toMatchObject({ delayMs: hourMs })
    expect(failed(1, 0, { retryAfterMs: 1000 })).toMatchObject({ delayMs: 4000 })
    expect(failed(1, 0, { retryAfterMs: 1000 * hourMs })).toMatchObject({ delayMs: 24 * hourMs })
  })

  test('because the receiver is gone, waits for somebody to say where it went', () => {
    expect(failed(3, 0, { status: 410 })).toMatchObject({ state: 'waiting', disable: 'gone' })
  })
})
