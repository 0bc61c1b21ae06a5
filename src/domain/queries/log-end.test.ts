import fc from 'fast-check'
import { expect, test } from 'vitest'

import { eventsPerPage } from '#contract/index.ts'
import { findEnd, type ReadPage } from './log-end.ts'

/** Creates an in-memory log that is read like the API. It gains `growth` rows before each response. */
function log(length: number, growth: () => number = () => 0, name = 'a') {
  let rows = length
  const requests: number[] = []
  const page: ReadPage = (offset) => {
    requests.push(offset)
    rows += growth()
    const end = Math.min(rows, offset + eventsPerPage)
    return Promise.resolve(
      Array.from({ length: Math.max(0, end - offset) }, (_, index) => ({ id: `${name}${offset + index}` })),
    )
  }
  return { page, requests, rows: () => rows, grow: (by: number) => (rows += by) }
}

const lengths = fc.oneof(
  fc.nat(350),
  fc.nat(3_000_000),
  fc.nat(5000).map((pages) => pages * eventsPerPage),
)

/** Returns the maximum number of requests for the doubling and halving phases of the search. */
const most = (rows: number) => 2 * Math.ceil(Math.log2(Math.max(1, rows / eventsPerPage))) + 2

test('the end of a log at rest is found exactly, in a logarithmic number of requests', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, async (length) => {
      const { page, requests } = log(length)
      expect(await findEnd(page)).toEqual({
        count: length,
        lastId: length === 0 ? undefined : `a${length - 1}`,
      })
      expect(requests.length).toBeLessThanOrEqual(most(length))
    }),
    { numRuns: 500 },
  )
})

test('the end found in a growing log was there, and is no less than it was at the start', async () => {
  await fc.assert(
    fc.asyncProperty(
      lengths,
      fc.array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(400)), { minLength: 1 }),
      async (length, steps) => {
        let step = 0
        const { page, requests, rows } = log(length, () => steps[step++ % steps.length] ?? 0)
        const end = await findEnd(page)
        expect(end.count).toBeGreaterThanOrEqual(length)
        expect(end.count).toBeLessThanOrEqual(rows())
        expect(end.lastId).toBe(end.count === 0 ? undefined : `a${end.count - 1}`)
        expect(requests.length).toBeLessThanOrEqual(most(rows()) + 2)
      },
    ),
    { numRuns: 500 },
  )
})

test('a known end is confirmed in one request, which brings what came after it', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, fc.nat(98), async (length, more) => {
      const { page, requests, grow } = log(length + 1)
      const known = await findEnd(page)
      requests.length = 0
      grow(more)
      expect(await findEnd(page, known)).toEqual({ count: length + 1 + more, lastId: `a${length + more}` })
      expect(requests).toEqual([length])
    }),
  )
})

test('far behind, the search continues from the known end', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, lengths, async (length, more) => {
      const { page, requests, grow } = log(length + 1)
      const known = await findEnd(page)
      requests.length = 0
      grow(more)
      expect((await findEnd(page, known)).count).toBe(length + 1 + more)
      expect(Math.min(...requests)).toBe(length)
      expect(requests.length).toBeLessThanOrEqual(most(more + 1))
    }),
  )
})

test('another log, a shorter one included, is searched from the beginning', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, lengths, async (length, other) => {
      const known = await findEnd(log(length).page)
      expect((await findEnd(log(other, undefined, 'b').page, known)).count).toBe(other)
    }),
  )
})
