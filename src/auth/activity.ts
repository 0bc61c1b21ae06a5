import { watchLooks, timeLeft } from './clock.ts'
import type { Tabs } from './tabs.ts'

export const idleMs = 15 * 60_000
export const warningMs = 60_000
/** Minimum interval between the messages that report activity to other tabs. */
const tellEveryMs = 10_000
/** Time after an act in which the next one is not noted. */
const oneActMs = 1000

export interface ActivityListener {
  /** Called on activity, at most every ten seconds, and when the clock was set back. */
  alive(lastActMs: number): void
  /** Returns the time of the last act in any tab, as far as the tabs have a storage in common. */
  lastActMs(): number | undefined
  warn(lockAtMs: number): void
  resume(): void
  /** Locks the session. Returns false if it was locked before. */
  lock(): boolean
  /** Locks a session that has reached its maximum duration. Returns whether it has. */
  expire(): boolean
}

const acts: ReadonlySet<string> = new Set(['pointerdown', 'keydown', 'click', 'wheel', 'touchmove'])

/**
 * Watches for activity in this tab and the others. During the warning only an explicit answer counts, here or in
 * another tab: an accidental movement must not keep open a session that is not attended. An act that comes too late, as
 * the first one after a sleep, locks and does nothing else.
 */
export function watchActivity(tabs: Tabs, listener: ActivityListener) {
  let leftMs = timeLeft(idleMs)
  let untilToldMs = timeLeft(0)
  let seenMs = Date.now()
  let isWarned = false
  /** Whether the latest press of the pointer has locked: the click that it ends with goes nowhere either. */
  let isLatePress = false

  const quietMs = () => idleMs - leftMs()
  /** Takes over an act of another tab. Its age is unknown if the clock was set back since. */
  const hear = (atMs: number | undefined) => {
    const left = idleMs - Math.abs(Date.now() - (atMs ?? NaN))
    if (left > leftMs()) leftMs = timeLeft(left)
  }
  /** Locks, warns or ends the warning, as is due. Returns whether this look has locked. */
  const look = (): boolean => {
    const nowMs = Date.now()
    if (nowMs < seenMs) listener.alive(nowMs - quietMs())
    seenMs = nowMs
    if (listener.expire()) return true
    // A tab that the browser froze has not heard the others.
    if (leftMs() <= 0) hear(listener.lastActMs())
    if (leftMs() <= 0) return listener.lock()
    const isLate = leftMs() <= warningMs
    if (isLate && !isWarned) listener.warn(nowMs + leftMs())
    if (!isLate && isWarned) listener.resume()
    isWarned = isLate
    return false
  }
  const begin = () => {
    leftMs = timeLeft(idleMs)
    look()
    if (untilToldMs() > 0) return
    untilToldMs = timeLeft(tellEveryMs)
    listener.alive(Date.now())
    tabs.send({ type: 'active', atMs: Date.now() })
  }
  const sign = () => {
    look()
    if (leftMs() > 0) begin()
  }
  const stopLooking = watchLooks((event) => {
    const hasLocked = look()
    if (!event || !acts.has(event.type)) return
    const isClick = event.type === 'click'
    if (hasLocked || (isClick && isLatePress)) {
      event.stopImmediatePropagation()
      if (isClick || event.type === 'keydown') event.preventDefault()
    } else if (leftMs() > 0 && !isWarned && quietMs() > oneActMs) begin()
    if (isClick || event.type === 'pointerdown') isLatePress = hasLocked && !isClick
  })
  const stopListening = tabs.listen((message) => {
    if (message.type !== 'active') return
    // A tab of an older console does not say when.
    hear(message.atMs ?? listener.lastActMs())
    look()
  })
  listener.alive(Date.now())

  return {
    look,
    /** Notes an act, unless it comes too late. */
    sign,
    /** Starts again after signing in. */
    begin,
    stop() {
      stopLooking()
      stopListening()
    },
  }
}
