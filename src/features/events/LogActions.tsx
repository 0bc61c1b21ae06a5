import { Button } from '@mantine/core'
import {
  IconArrowUp,
  IconBookmark,
  IconCalendarTime,
  IconDownload,
  IconFilter,
  IconPlayerPause,
} from '@tabler/icons-react'
import { useState } from 'react'

import { eventLogText } from '../../messages/index.ts'
import { FormPopover } from '../../ui/FormPopover.tsx'
import { hint } from '../../ui/Hint.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { JumpForm } from './forms/JumpForm.tsx'
import { ViewsForm } from './forms/ViewsForm.tsx'
import type { EventFilter } from './log/filter.ts'
import { useViews } from './forms/views.ts'
import type { EventLog } from './log/log.ts'
import type { LogState } from './log/state.ts'

const ExportDialog = lazyPart(async () => (await import('./forms/ExportDialog.tsx')).ExportDialog)
const FilterForm = lazyPart(async () => (await import('./forms/FilterForm.tsx')).FilterForm)
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true }

export interface LogActionsProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
  readonly onJump: (moment: string) => void
  readonly onNewest: () => void
}

/** Controls of the log: filter, jump to a moment, export, and the live tail. */
export function LogActions(props: LogActionsProps) {
  const { log, state, filter, onFilter, onJump } = props
  const [isExporting, setExporting] = useState(false)
  const views = useViews()
  return (
    <>
      <FormPopover
        code={FilterForm}
        widthPx={460}
        face={
          <Button variant="default" leftSection={<IconFilter {...icon} />}>
            {eventLogText.filter.button}
          </Button>
        }
      >
        {(close) => (
          <FilterForm
            filter={filter}
            events={state.events}
            onChange={(next) => {
              close()
              onFilter(next)
            }}
          />
        )}
      </FormPopover>
      {views.save && (
        <ViewsForm
          face={
            <Button
              variant="default"
              leftSection={<IconBookmark {...icon} />}
              data-small
              {...hint(eventLogText.views.hint)}
            >
              {eventLogText.views.button}
            </Button>
          }
          filter={filter}
          onChange={onFilter}
        />
      )}
      <JumpForm
        face={
          <Button variant="default" leftSection={<IconCalendarTime {...icon} />}>
            {eventLogText.jump.button}
          </Button>
        }
        onJump={onJump}
      />
      <Button
        variant="default"
        leftSection={<IconDownload {...icon} />}
        disabled={state.start !== 'idle'}
        onPointerEnter={ExportDialog.readAhead}
        onFocus={ExportDialog.readAhead}
        onClick={() => setExporting(true)}
      >
        {eventLogText.export.button}
      </Button>
      <LiveButton {...props} />
      {isExporting && (
        <ExportDialog log={log} state={state} filter={filter} onClose={() => setExporting(false)} />
      )}
    </>
  )
}

function LiveButton({ log, state, filter, onNewest }: LogActionsProps) {
  const { hasNewer, isPaused, waiting, tail } = state
  const liveText = eventLogText.live
  if (hasNewer)
    return (
      <Button
        variant="light"
        leftSection={<IconArrowUp {...icon} />}
        onClick={onNewest}
        {...hint(liveText.newestHint)}
      >
        {liveText.newest}
      </Button>
    )
  // No new event can fall into a span that has ended.
  if (tail === 'off' && filter.to !== undefined) return null
  if (isPaused)
    return (
      <Button
        variant="light"
        leftSection={<IconPlayerPause {...icon} />}
        onClick={log.resume}
        {...hint(liveText.pausedHint)}
      >
        <span aria-live="polite">{liveText.paused(waiting)}</span>
      </Button>
    )
  const isFailing = tail === 'failing'
  return (
    <Button
      variant="default"
      leftSection={<StateMark tone={isFailing ? 'warning' : tail === 'live' ? 'success' : undefined} />}
      disabled={tail === 'off'}
      onClick={log.pause}
      {...hint(isFailing ? liveText.failingHint : liveText.onHint)}
    >
      <span aria-live="polite">{isFailing ? liveText.failing : liveText.on}</span>
    </Button>
  )
}
