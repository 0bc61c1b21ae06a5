/**
 * Returns a function that returns how much of `ms` is left, by the clock that has advanced further. The clock of timers stops
 * while the machine sleeps, and the other one may be set back.
 */
export function timeLeft(ms: number): () => number {
  const endMs = Date.now() + ms
  const awakeEndMs = performance.now() + ms
  return () => Math.min(endMs - Date.now(), awakeEndMs - performance.now())
}

const lookEveryMs = 1000
/** Events that may be the first ones after a sleep; whether their listeners may prevent what the browser does next. */
const events = {
  pointerdown: true,
  keydown: true,
  click: true,
  pointermove: false,
  wheel: false,
  touchmove: false,
  focus: false,
  visibilitychange: false,
  pageshow: false,
  resume: false,
  online: false,
}

/**
 * Calls back each second and at the first event after a sleep, before the page handles that event: a timer set to a
 * moment comes too late by as long as the machine slept. Returns a function that ends this.
 *
 * @param look Called with the event, undefined if there was none.
 */
export function watchLooks(look: (event?: Event) => void): () => void {
  const timer = setInterval(() => look(), lookEveryMs)
  for (const [name, mayPrevent] of Object.entries(events))
    addEventListener(name, look, { capture: true, passive: !mayPrevent })
  return () => {
    clearInterval(timer)
    for (const name of Object.keys(events)) removeEventListener(name, look, { capture: true })
  }
}
