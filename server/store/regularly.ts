/**
 * Does work at once and then every so many milliseconds, never twice at a time, until it is stopped: that gives up what is
 * under way by its signal, and waits for it. The work answers for its errors itself.
 */
export function regularly(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const ended = new AbortController()
  let running: Promise<void> | undefined
  const run = () => void (running ??= work(ended.signal).finally(() => (running = undefined)))
  const timer = setInterval(run, everyMs).unref()
  run()
  return {
    async stop() {
      clearInterval(timer)
      ended.abort()
      await running
    },
  }
}
