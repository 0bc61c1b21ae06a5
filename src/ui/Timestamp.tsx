import { createContext, use, useSyncExternalStore } from 'react'

import { sharedText } from '../messages/index.ts'
import { hint } from './Hint.tsx'
import {
  dateOf,
  exactTime,
  instantMs,
  minuteOf,
  recentMinute,
  relativeTime,
  timeOfDay,
  type Zones,
  zonedMinute,
} from './time.ts'

/** Time zone of every time on the page. The shell provides it and lets the reader switch it. */
export const ZonesContext = createContext<Zones>({ shown: 'utc', service: 'UTC' })

export interface TimestampProps {
  /** Time as the service sent it. Null, undefined and "" show a dash; an invalid time is shown as it is. */
  readonly value: string | null | undefined
  /**
   * Format: `relative` in lists, `time` below a heading with the day, `date` if only the day matters, `day` for a date
   * without a time, `minute` in details, `recent` in lists
   * of what has just happened, `paper` where hovering is impossible.
   */
  readonly mode?: keyof typeof forms
  /** Whether the keyboard reaches the tooltip. For details only: a table would have a tab stop in each cell. */
  readonly focusable?: boolean
}

// One clock for all relative times of the page, so that they agree with each other and stay correct on a page left
// open.
let clockMs = Date.now()
const tickMs = 30_000
const tickListeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  clockMs = Date.now()
  for (const listener of tickListeners) listener()
}

function onTick(listener: () => void) {
  if (tickListeners.size === 0) {
    timer = setInterval(tick, tickMs)
    if (Date.now() - clockMs > tickMs) clockMs = Date.now()
  }
  tickListeners.add(listener)
  return () => {
    tickListeners.delete(listener)
    if (tickListeners.size === 0) clearInterval(timer)
  }
}

export function useNowMs(): number {
  return useSyncExternalStore(onTick, () => clockMs)
}

const forms = {
  relative: (ms: number, _: Zones['shown'], nowMs: number) => relativeTime(ms, nowMs),
  time: timeOfDay,
  date: dateOf,
  /** Formats a date without a time, in UTC: it is the same day in every zone. */
  day: (ms: number) => dateOf(ms, 'utc'),
  minute: minuteOf,
  recent: recentMinute,
  paper: zonedMinute,
} as const

/** Time whose tooltip shows the exact zoned form and the service's own string. */
export function Timestamp({ value, mode = 'relative', focusable = false }: TimestampProps) {
  const zones = use(ZonesContext)
  const nowMs = useNowMs()
  if (value === null || value === undefined || value === '')
    return <span className="ds-dimmed">{sharedText.none}</span>
  const ms = instantMs(value, zones.service)
  if (ms === undefined) return <span>{value}</span>
  const exact = mode === 'day' ? value : `${exactTime(ms, zones.shown)}\n${value}`
  return (
    <time
      dateTime={mode === 'day' ? value : new Date(ms).toISOString()}
      {...hint(exact)}
      {...(focusable ? { tabIndex: 0 } : {})}
    >
      {forms[mode](ms, zones.shown, nowMs)}
    </time>
  )
}
