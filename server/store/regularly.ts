/**
 * Does work at once and then every so many milliseconds, or sooner where it says `again`, never twice at a time, until it is stopped:
 * that gives up what is under way by its signal, and waits for it. The work answers for its errors itself.
 */
export function regularly(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<'again' | void>,
  againMs = everyMs,
): { stop(): Promise<void> } {
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void>
  const workOnce = async () => {
    const next = await work(ended.signal)
    if (!ended.signal.aborted) timer = setTimeout(run, next === 'again' ? againMs : everyMs).unref()
  }
  const run = () => {
    running = workOnce()
  }
  run()
  return {
    async stop() {
      ended.abort()
      clearTimeout(timer)
      await running
    },
  }
}
