import { waitingErasures } from '../erasures/storage.ts'
import type { Figures } from '../http/metrics.ts'
import type { Database } from '../sealing/database.ts'
import type { SegmentCounts } from '../segments/counts.ts'
import { outboxAge, queueFigures } from '../webhooks/waiting.ts'

/** Time limit for all metrics together, so that a scrape gets a quick answer even from a slow store. */
const limitMs = 1000

/** Metrics of the store and its queues, for operators. */
export async function figuresOf(database: Database, counts: SegmentCounts): Promise<Figures> {
  const { pool, keys } = database
  const read = await database
    .within(limitMs, async (handle) => ({
      inboxAge: await outboxAge(handle),
      queue: await queueFigures(handle),
      erasures: await waitingErasures(handle, keys.keyring.ids, { atMost: 0 }),
    }))
    .catch(() => undefined)
  const since = read?.erasures.since
  return {
    up: { help: 'Whether the store has just answered.', value: read ? 1 : 0 },
    connections: { help: 'Connections to the store.', value: pool.totalCount },
    connections_idle: { help: 'Of these, not in use.', value: pool.idleCount },
    connections_waiting: { help: 'Who waits for a connection.', value: pool.waitingCount },
    inbox_age_seconds: {
      help: 'For how long the oldest event has been waiting to get into the log.',
      value: read?.inboxAge,
    },
    delivery_lag_seconds: {
      help: 'For how long the delivery that should have been tried first has been due.',
      value: read?.queue.lag,
    },
    events_waiting: { help: 'Events of which a delivery is still to be tried.', value: read?.queue.events },
    webhooks_failing: {
      help: 'Webhooks whose last try failed, or which were stopped for that.',
      value: read?.queue.failing,
    },
    erasures_waiting: { help: 'Deleted users whose key could still be opened.', value: read?.erasures.total },
    erasure_age_seconds: {
      help: 'How long ago the first of these was deleted.',
      value: read && (since ? (Date.now() - Date.parse(since)) / 1000 : 0),
    },
    counts_waiting: { help: 'Segments that wait to be counted.', value: counts.waiting },
  }
}
