// Cancels a statement of the embedded engine that runs too long. The engine is WebAssembly on the main thread:
// while it computes, no timer and no signal handler runs there, so PostgreSQL's own `statement_timeout` never
// fires (measured: a 39 s join under a limit of 200 ms ran to its end). This thread watches the clock instead,
// and raises PostgreSQL's cancel flag through V8's inspector, which reaches a busy thread between two instructions
// of a loop, as a signal would. No port is opened, and nothing is attached before the first overdue statement.
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'

export interface WatchData {
  // [0] the statement that runs now, 0 = none; [1] the limit in milliseconds, 0 = none
  shared: Int32Array
  // the engine's key in the map of cancellers, see embedded-engine.ts
  key: number
}

const { shared, key } = workerData as WatchData
let session: Session | undefined
let watched = 0
let since = 0

function cancel(statement: number) {
  if (session === undefined) {
    session = new Session()
    session.connectToMainThread()
  }
  const expression = `globalThis[Symbol.for('data-store.cancel')]?.get(${key})?.(${statement})`
  session.post('Runtime.evaluate', { expression })
}

for (;;) {
  const limitMs = Atomics.load(shared, 1)
  // [1] changes rarely: waiting on it is a sleep that ends early when the limit is set
  Atomics.wait(shared, 1, limitMs, limitMs === 0 ? 250 : Math.min(250, limitMs / 10))
  const statement = Atomics.load(shared, 0)
  if (statement === 0 || statement !== watched) {
    watched = statement
    since = performance.now()
  } else if (limitMs > 0 && performance.now() - since >= limitMs) {
    // asked again at every look until the statement has ended: a cancel is only seen where PostgreSQL checks for it
    cancel(statement)
  }
}
