import { Button } from '@mantine/core'
import { IconArrowUp, IconCalendarTime, IconDownload, IconPlayerPause } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { eventLogText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import classes from './EventsPage.module.css'
import type { EventLog, LogState } from './log/log.ts'
import type { EventFilter } from './log/filter.ts'

// Each with the first wish for it.
const forms = () => import('./forms/FilterForm.tsx')
const JumpForm = lazy(async () => ({ default: (await forms()).JumpForm }))
const exportChunk = () => import('./forms/ExportDialog.tsx')
const ExportDialog = lazy(async () => ({ default: (await exportChunk()).ExportDialog }))

export interface LogActionsProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onJump: (moment: string) => void
  readonly onNewest: () => void
}

/** To a moment, into a file, and whether new events come in. */
export function LogActions({ log, state, filter, onJump, onNewest }: LogActionsProps) {
  const [isExporting, setExporting] = useState(false)
  const [isJumping, setJumping] = useState<boolean>()
  const face = (
    <Button
      variant="default"
      leftSection={<IconCalendarTime size={15} stroke={1.75} aria-hidden />}
      aria-haspopup="dialog"
      aria-expanded={isJumping === true}
      onPointerEnter={() => void forms()}
      onFocus={() => void forms()}
      onClick={() => setJumping(isJumping !== true)}
    >
      {eventLogText.jump.button}
    </Button>
  )
  return (
    <>
      {isJumping === undefined ? (
        face
      ) : (
        <Suspense fallback={face}>
          <JumpForm face={face} isOpen={isJumping} onClose={() => setJumping(false)} onJump={onJump} />
        </Suspense>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.75} aria-hidden />}
        disabled={state.start !== 'idle'}
        onPointerEnter={() => void exportChunk()}
        onFocus={() => void exportChunk()}
        onClick={() => setExporting(true)}
      >
        {eventLogText.export.button}
      </Button>
      <LiveButton log={log} state={state} filter={filter} onNewest={onNewest} />
      {isExporting && (
        <Suspense>
          <ExportDialog log={log} state={state} filter={filter} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  )
}

function LiveButton({ log, state, filter, onNewest }: Omit<LogActionsProps, 'onJump'>) {
  const { hasNewer, isPaused, waiting, tail } = state
  if (hasNewer)
    return (
      <Button
        variant="light"
        leftSection={<IconArrowUp size={15} stroke={1.75} aria-hidden />}
        onClick={onNewest}
        {...hint(eventLogText.live.newestHint)}
      >
        {eventLogText.live.newest}
      </Button>
    )
  // Of a span that is over nothing new can come.
  if (tail === 'off' && filter.to !== undefined) return null
  if (isPaused)
    return (
      <Button
        variant="light"
        leftSection={<IconPlayerPause size={15} stroke={1.75} aria-hidden />}
        onClick={log.resume}
        {...hint(eventLogText.live.pausedHint)}
      >
        <span aria-live="polite">{eventLogText.live.paused(waiting)}</span>
      </Button>
    )
  return (
    <Button
      variant="default"
      leftSection={<span className={classes.dot} data-tail={tail} aria-hidden />}
      disabled={tail === 'off'}
      onClick={log.pause}
      {...hint(tail === 'failing' ? eventLogText.live.failingHint : eventLogText.live.onHint)}
    >
      <span aria-live="polite">{tail === 'failing' ? eventLogText.live.failing : eventLogText.live.on}</span>
    </Button>
  )
}
