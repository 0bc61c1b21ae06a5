// Reads one user every 10 ms, in a thread of its own, so that work of the service in its thread does not hold up the
// client too. Answers each message with the times that the reads took since the one before, in milliseconds.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Instructions for the thread. */
export interface Reading {
  readonly url: string
  readonly token: string
}

const { url, token } = workerData as Reading
const agent = new Agent({ keepAlive: true })
let times: number[] = []

parentPort?.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(times)
  times = []
})
for (;;) {
  const begun = performance.now()
  await read()
  times.push(performance.now() - begun)
  await sleep(10)
}

function read(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The service answered ${response.statusCode}.`))
      response.once('end', resolve).resume()
    }).once('error', reject)
  })
}
