import { Button } from '@mantine/core'
import { IconArrowUp, IconPlayerPause } from '@tabler/icons-react'

import { ExportButton, FilterButton } from '../../domain/log-page/LogButtons.tsx'
import { liveText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { JumpForm } from './forms/JumpForm.tsx'
import { SavedViews, useSavedViews } from './forms/SavedViews.tsx'
import type { EventFilter } from './log/filter.ts'
import type { EventLog } from './log/log.ts'
import type { LogState } from './log/state.ts'

const EventExport = lazyPart(async () => (await import('./forms/EventExport.tsx')).EventExport)
const EventFilterForm = lazyPart(async () => (await import('./forms/EventFilterForm.tsx')).EventFilterForm)
const actionIcon = { size: 15, stroke: 1.75, 'aria-hidden': true }

export interface LogActionsProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
  readonly onJump: (moment: string) => void
  readonly onNewest: () => void
}

export function LogActions(props: LogActionsProps) {
  const { log, state, filter, onFilter, onJump } = props
  const { isFull } = log
  const { save } = useSavedViews()
  return (
    <>
      <FilterButton code={EventFilterForm}>
        {(close) => (
          <EventFilterForm
            filter={filter}
            events={state.events}
            isFull={isFull}
            onChange={(next) => {
              close()
              onFilter(next)
            }}
          />
        )}
      </FilterButton>
      {save && <SavedViews filter={filter} onChange={onFilter} />}
      <JumpForm onJump={onJump} />
      <ExportButton code={EventExport} disabled={state.start !== 'idle'}>
        {(close) => <EventExport isFull={isFull} state={state} filter={filter} onClose={close} />}
      </ExportButton>
      <LiveButton {...props} />
    </>
  )
}

function LiveButton({ log, state, filter, onNewest }: LogActionsProps) {
  const { hasNewer, isPaused, waiting, tail } = state
  if (hasNewer)
    return (
      <Button
        variant="light"
        leftSection={<IconArrowUp {...actionIcon} />}
        onClick={onNewest}
        {...hint(liveText.newestHint)}
      >
        {liveText.newest}
      </Button>
    )
  // No new event can fall into a period that has ended.
  if (tail === 'off' && filter.to !== undefined) return null
  if (isPaused)
    return (
      <Button
        variant="light"
        leftSection={<IconPlayerPause {...actionIcon} />}
        onClick={log.resume}
        {...hint(liveText.pausedHint)}
      >
        <span aria-live="polite">{liveText.paused({ waiting })}</span>
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
