import type { Tabs } from './tabs.ts'

export const idleMs = 15 * 60_000
export const warningMs = 60_000
/** Minimum interval between the messages that report activity to other tabs. */
const tellEveryMs = 10_000

export interface ActivityListener {
  /** Called on activity, at most every ten seconds. */
  alive(): void
  warn(lockAtMs: number): void
  resume(): void
  lock(): void
}

/**
 * Watches for activity in this tab and the others. During the warning only an explicit answer counts, here or in
 * another tab: an accidental movement must not keep open a session that is not attended.
 */
export function watchActivity(tabs: Tabs, listener: ActivityListener) {
  let lastMs = Date.now()
  let toldMs = 0
  let warned = false
  let timer: ReturnType<typeof setTimeout>

  const check = () => {
    clearTimeout(timer)
    // Compares clock times, since timers stop while the machine sleeps.
    const quietMs = Date.now() - lastMs
    if (quietMs >= idleMs) return listener.lock()
    if (quietMs >= idleMs - warningMs && !warned) {
      warned = true
      listener.warn(lastMs + idleMs)
    }
    timer = setTimeout(check, (warned ? idleMs : idleMs - warningMs) - quietMs)
  }
  const alive = () => {
    lastMs = Date.now()
    if (warned) {
      warned = false
      listener.resume()
    }
    check()
  }
  const sign = () => {
    alive()
    if (lastMs - toldMs < tellEveryMs) return
    toldMs = lastMs
    listener.alive()
    tabs.send({ type: 'active' })
  }
  const notice = () => {
    if (!warned && Date.now() - lastMs > 1000) sign()
  }
  const wake = () => {
    if (document.visibilityState === 'visible') check()
  }
  const stopListening = tabs.listen((message) => {
    if (message.type === 'active') alive()
  })
  const signs = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const
  for (const name of signs) addEventListener(name, notice, { capture: true, passive: true })
  document.addEventListener('visibilitychange', wake)
  listener.alive()
  check()

  return {
    sign,
    stop() {
      clearTimeout(timer)
      stopListening()
      for (const name of signs) removeEventListener(name, notice, { capture: true })
      document.removeEventListener('visibilitychange', wake)
    },
  }
}
