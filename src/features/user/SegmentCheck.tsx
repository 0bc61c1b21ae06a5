import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { ApiError } from '../../api/index.ts'
import { userPages } from '../../domain/user-list/user-pages.ts'
import { type Run, useWork, type Work } from '../../domain/work/use-work.ts'
import { userPageText } from '../../messages/index.ts'

const userSegmentsText = userPageText.segments

interface CheckProgress {
  /** Number of users checked so far, and the size of the segment if known. */
  readonly looked: number
  readonly total: number | undefined
  /** Offset of the page to resume from. */
  readonly next: string | undefined
}

/** Finds out whether the user is in a segment by reading all of its users, because their order is unspecified. */
function membershipOf(userId: string, segment: string): Run<CheckProgress, boolean> {
  return async (signal, onProgress, from) => {
    let looked = from?.looked ?? 0
    for await (const { users, total, next } of userPages({ segment, from: from?.next, signal })) {
      signal.throwIfAborted()
      looked += users.length
      onProgress({ looked, total, next })
      if (users.some(({ id }) => id === userId)) return true
      if (next === undefined) return false
      signal.throwIfAborted()
    }
    return false
  }
}

export interface SegmentCheckProps {
  readonly userId: string
  readonly segment: string
  readonly name: string
  /** Content shown once the result is known. */
  readonly children?: ReactNode
}

export function SegmentCheck({ userId, segment, name, children }: SegmentCheckProps) {
  const { work, begin, pause, reset } = useWork<CheckProgress, boolean>()
  const { phase } = work
  const { looked = 0, total } = work.progress ?? {}
  const isRunning = phase === 'running'
  const isBegun = looked > 0 && phase !== 'done'
  const run = () => {
    // A finished check restarts from the beginning, because membership changes.
    if (phase === 'done') reset()
    begin(membershipOf(userId, segment))
  }
  return (
    <>
      <Group component="span" gap="4px 12px" fz="sm">
        {isRunning && total !== undefined && total > 0 && (
          <progress
            style={{ width: 120 }}
            aria-label={userSegmentsText.checkOf({ segment: name })}
            value={looked}
            max={total}
          />
        )}
        <Text component="output" inherit c={checkColor(work)}>
          {describeCheck(work)}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={
            isRunning
              ? userSegmentsText.stopOf({ segment: name })
              : isBegun
                ? userSegmentsText.goOnOf({ segment: name })
                : userSegmentsText.checkOf({ segment: name })
          }
          onClick={isRunning ? pause : run}
        >
          {isRunning ? userSegmentsText.stop : isBegun ? userSegmentsText.goOn : userSegmentsText.check}
        </Button>
      </Group>
      {phase === 'done' && children}
    </>
  )
}

function checkColor(work: Work<CheckProgress, boolean>) {
  if (work.phase === 'failed') return 'var(--ds-removed)'
  return work.phase === 'done' && work.result ? 'var(--ds-added)' : 'dimmed'
}

function describeCheck(work: Work<CheckProgress, boolean>): string {
  if (work.phase === 'done') return work.result ? userSegmentsText.member : userSegmentsText.notMember
  const { looked: count = 0, total } = work.progress ?? {}
  const checked =
    count === 0
      ? ''
      : total === undefined
        ? userSegmentsText.checked({ count })
        : userSegmentsText.checkedOf({ count, total })
  if (work.phase !== 'failed') return checked
  const status = work.error instanceof ApiError ? work.error.status : undefined
  const { forbidden, gone, failed, stopped } = userSegmentsText
  const reason = status === 403 ? forbidden : status === 404 ? gone : failed
  return checked === '' ? reason : stopped({ reason, checked })
}
