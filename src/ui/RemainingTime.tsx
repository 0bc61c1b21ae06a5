import { RingProgress } from '@mantine/core'
import { useEffect, useState } from 'react'

import { hint } from './Hint.tsx'
import classes from './RemainingTime.module.css'

interface RemainingTimeProps {
  readonly untilMs: number
  /** Duration of a full ring, in milliseconds. */
  readonly ofMs: number
  readonly color: `var(--${string})`
  readonly label: (seconds: number) => string
}

/** Countdown ring; seconds in words if reduced motion is preferred. Not announced each second, but read on request. */
export function RemainingTime({ untilMs, ofMs, color, label }: RemainingTimeProps) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Math.max(0, untilMs - nowMs)
  const words = label(Math.ceil(leftMs / 1000))
  return (
    <span role="timer" className={classes.root} {...hint(words)}>
      <RingProgress
        size={16}
        thickness={2.5}
        roundCaps
        transitionDuration={1000}
        sections={[{ value: (leftMs / ofMs) * 100, color }]}
        className={classes.ring ?? ''}
        aria-hidden
      />
      <span className={classes.words}>{words}</span>
    </span>
  )
}
