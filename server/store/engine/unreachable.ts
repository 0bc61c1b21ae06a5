import { Client, DatabaseError } from 'pg'

import type { Address } from './address.ts'

const tickMs = 1_000
const ticksBetween = 5
/** Longer than a machine that is overloaded, or swaps, keeps a new connection waiting. */
const ticksUntilLost = 20

/**
 * Calls `lost` when a PostgreSQL has answered no new connection for twenty seconds: its socket is gone, or it has been
 * stopped. One that starts, recovers or is full says so, which is an answer. Ticks are counted, because a clock would
 * blame it for a time in which this process did not run. Returns the function that ends the watch.
 */
export function unreachable(address: Address, lost: () => void): () => void {
  let ticks = 0
  let isAsking = false
  const ask = async () => {
    isAsking = true
    if (await answers(address)) ticks = 0
    isAsking = false
  }
  const timer = setInterval(() => {
    ticks++
    if (ticks >= ticksUntilLost) {
      clearInterval(timer)
      lost()
    } else if (!isAsking && ticks % ticksBetween === 0) void ask()
  }, tickMs).unref()
  return () => clearInterval(timer)
}

async function answers(address: Address): Promise<boolean> {
  const client = new Client({ ...address, connectionTimeoutMillis: ticksBetween * tickMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof DatabaseError
  } finally {
    // Not awaited: a server that hangs does not say goodbye either.
    client.end().catch(() => {})
  }
}
