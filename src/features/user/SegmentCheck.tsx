import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { user } from '../../messages/index.ts'
import { userPages } from '../../domain/user-list/user-pages.ts'
import classes from './UserSegmentsPage.module.css'

const text = user.segments

export interface Check {
  readonly state: 'running' | 'stopped' | 'in' | 'not in' | ApiError
  /** Users of the segment that were looked at, and how many it has where that is known. */
  readonly looked: number
  readonly total: number | undefined
  /** Where to go on. */
  readonly from: string | undefined
}

const untouched: Check = { state: 'stopped', looked: 0, total: undefined, from: undefined }

/** Whether the user is among a segment's users, found by reading them all: nothing is assumed about their order. */
export function useSegmentChecks(userId: string) {
  const [checks, setChecks] = useState<Readonly<Record<string, Check>>>({})
  const running = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const all = running.current
    return () => all.forEach((abort) => abort.abort())
  }, [])
  const note = (segment: string, check: Partial<Check>) =>
    setChecks((all) => ({ ...all, [segment]: { ...(all[segment] ?? untouched), ...check } }))

  const search = async (segment: string, begun: Check, signal: AbortSignal) => {
    let { looked } = begun
    for await (const { users, total, next } of userPages({ segment, from: begun.from, signal })) {
      signal.throwIfAborted()
      looked += users.length
      const found = users.some(({ id }) => id === userId)
      note(segment, {
        looked,
        total,
        from: next,
        state: found ? 'in' : next === undefined ? 'not in' : 'running',
      })
      if (found) return
    }
  }

  return {
    of: (segment: string) => checks[segment],
    run(segment: string) {
      const abort = new AbortController()
      running.current.get(segment)?.abort()
      running.current.set(segment, abort)
      const known = checks[segment]
      // What was finished is asked anew: users come and go.
      const begun =
        known && (known.state === 'stopped' || known.state instanceof ApiError) ? known : untouched
      note(segment, { ...begun, state: 'running' })
      search(segment, begun, abort.signal).catch((error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof ApiError)) throw error
        note(segment, { state: error })
      })
    },
    stop(segment: string) {
      running.current.get(segment)?.abort()
      note(segment, { state: 'stopped' })
    },
  }
}

export interface SegmentCheckProps {
  readonly name: string
  readonly state: Check | undefined
  readonly onRun: () => void
  readonly onStop: () => void
}

export function SegmentCheck({ name, state: check, onRun, onStop }: SegmentCheckProps) {
  const running = check?.state === 'running'
  const begun = check !== undefined && check.looked > 0 && check.state !== 'in' && check.state !== 'not in'
  return (
    <span className={classes.check}>
      {running && check.total !== undefined && check.total > 0 && (
        <progress
          className={classes.progress}
          aria-label={text.checkOf(name)}
          value={check.looked}
          max={check.total}
        />
      )}
      <output className={classes.outcome} data-is={check && kindOf(check.state)}>
        {check && outcome(check)}
      </output>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={running ? text.stopOf(name) : begun ? text.goOnOf(name) : text.checkOf(name)}
        onClick={running ? onStop : onRun}
      >
        {running ? text.stop : begun ? text.goOn : text.check}
      </Button>
    </span>
  )
}

const kindOf = (state: Check['state']) => (state instanceof ApiError ? 'failed' : state)

function outcome({ state, looked, total }: Check): string {
  if (state === 'in') return text.member
  if (state === 'not in') return text.notMember
  const so = looked === 0 ? '' : text.checked(looked, total)
  if (!(state instanceof ApiError)) return so
  return `${state.status === 403 ? text.forbidden : state.status === 404 ? text.gone : text.failed} ${so}`
}
