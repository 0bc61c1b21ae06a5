import { Button } from '@mantine/core'
import {
  IconArrowUp,
  IconBookmark,
  IconCalendarTime,
  IconDownload,
  IconFilter,
  IconPlayerPause,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { eventLogText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { LazyMenu } from '../../ui/LazyMenu.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import type { EventFilter } from './log/filter.ts'
import { useViews } from './forms/views.ts'
import type { EventLog } from './log/log.ts'
import type { LogState } from './log/state.ts'

const exportChunk = () => import('./forms/ExportDialog.tsx')
const ExportDialog = lazy(async () => ({ default: (await exportChunk()).ExportDialog }))
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true }

export interface LogActionsProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
  readonly onJump: (moment: string) => void
  readonly onNewest: () => void
}

/** What the list is limited to, to a moment, into a file, and whether new events come in. */
export function LogActions(props: LogActionsProps) {
  const { log, state, filter, onFilter, onJump } = props
  const [isExporting, setExporting] = useState(false)
  const views = useViews()
  return (
    <>
      <LazyMenu
        face={
          <Button variant="default" leftSection={<IconFilter {...icon} />} aria-haspopup="dialog">
            {eventLogText.filter.button}
          </Button>
        }
        load={async () => (await import('./forms/FilterForm.tsx')).FilterForm}
        given={{ filter, events: state.events, onChange: onFilter }}
      />
      {views.save && (
        <LazyMenu
          face={
            <Button
              variant="default"
              leftSection={<IconBookmark {...icon} />}
              data-small
              aria-haspopup="dialog"
              {...hint(eventLogText.views.hint)}
            >
              {eventLogText.views.button}
            </Button>
          }
          load={async () => (await import('./forms/ViewsForm.tsx')).ViewsForm}
          given={{ filter, onChange: onFilter }}
        />
      )}
      <LazyMenu
        face={
          <Button variant="default" leftSection={<IconCalendarTime {...icon} />} aria-haspopup="dialog">
            {eventLogText.jump.button}
          </Button>
        }
        load={async () => (await import('./forms/JumpForm.tsx')).JumpForm}
        given={{ onJump }}
      />
      <Button
        variant="default"
        leftSection={<IconDownload {...icon} />}
        disabled={state.start !== 'idle'}
        onPointerEnter={() => void exportChunk()}
        onFocus={() => void exportChunk()}
        onClick={() => setExporting(true)}
      >
        {eventLogText.export.button}
      </Button>
      <LiveButton {...props} />
      {isExporting && (
        <Suspense>
          <ExportDialog log={log} state={state} filter={filter} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  )
}

function LiveButton({ log, state, filter, onNewest }: LogActionsProps) {
  const { hasNewer, isPaused, waiting, tail } = state
  const text = eventLogText.live
  if (hasNewer)
    return (
      <Button
        variant="light"
        leftSection={<IconArrowUp {...icon} />}
        onClick={onNewest}
        {...hint(text.newestHint)}
      >
        {text.newest}
      </Button>
    )
  // Of a span that is over nothing new can come.
  if (tail === 'off' && filter.to !== undefined) return null
  if (isPaused)
    return (
      <Button
        variant="light"
        leftSection={<IconPlayerPause {...icon} />}
        onClick={log.resume}
        {...hint(text.pausedHint)}
      >
        <span aria-live="polite">{text.paused(waiting)}</span>
      </Button>
    )
  const isFailing = tail === 'failing'
  return (
    <Button
      variant="default"
      leftSection={<StateMark tone={isFailing ? 'warning' : tail === 'live' ? 'success' : undefined} />}
      disabled={tail === 'off'}
      onClick={log.pause}
      {...hint(isFailing ? text.failingHint : text.onHint)}
    >
      <span aria-live="polite">{isFailing ? text.failing : text.on}</span>
    </Button>
  )
}
