/** Resolves after a delay; rejects with the signal's reason if it aborts earlier. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Resolves once the page has been painted and the browser is idle, or after a second at the latest. */
export function waitForPaint(): Promise<void> {
  // Not every browser has `requestIdleCallback`, and a background tab gets no idle time.
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 1000 })
    else setTimeout(resolve, 200)
  })
}
