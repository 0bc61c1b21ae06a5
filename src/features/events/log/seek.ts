/** Reads the times of the events from a position, in log order, in milliseconds; fewer than a page only at the end. */
export type ReadTimes = (offset: number) => Promise<readonly number[]>

/** Number of pages probed in parallel: with 4, a log of 5,000,000 events takes eight rounds. */
const seekConcurrency = 4
const pageRows = 100

/**
 * Returns the position in a log of `count` rows from which events are not before a moment. The log is in commit order,
 * which only approximates time order: neighbours may be swapped, and a block of old events may have been loaded late.
 * A page older than an earlier page is therefore ignored, and the first page that is not before the moment is trusted.
 */
export async function findTime(read: ReadTimes, timeMs: number, count: number): Promise<number> {
  let low = { at: 0, ms: -Infinity }
  let high = count
  // Compares page medians, so the moment may lie half a page after the position; the last read covers that.
  while (high - low.at > pageRows / 2) {
    const step = (high - low.at) / (seekConcurrency + 1)
    const places = Array.from({ length: seekConcurrency }, (_, index) =>
      Math.floor(low.at + step * (index + 1)),
    )
    const begin = low.at
    const probes = await Promise.all(
      [...new Set(places)].map(async (at) => ({ at, ms: median(await read(at)) })),
    )
    const past = probes.findIndex(({ ms }) => !(ms < timeMs))
    const before = past === -1 ? probes : probes.slice(0, past)
    high = probes[past]?.at ?? high
    for (const probe of before) if (probe.ms >= low.ms) low = probe
    // Every probe was ignored: all of them lie in one block of old events.
    if (low.at === begin && past === -1) low = { at: probes.at(-1)?.at ?? high, ms: low.ms }
  }
  const times = await read(low.at)
  return low.at + splitAt(times, timeMs)
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}

/** Returns the index that splits the page with the fewest times on the wrong side. */
function splitAt(times: readonly number[], timeMs: number): number {
  let wrong = times.filter((ms) => ms < timeMs).length
  let best = { index: 0, wrong }
  for (const [index, ms] of times.entries()) {
    wrong += ms < timeMs ? -1 : 1
    if (wrong < best.wrong) best = { index: index + 1, wrong }
  }
  return best.index
}
