import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { eventLogText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import type { EventLog } from './log/log.ts'
import type { LogState } from './log/state.ts'
import { type EventFilter, isFiltered } from './log/filter.ts'

export interface LogScopeProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
}

/** How much of the log is in the list, and of what time. */
export function LogScope({ log, state, filter }: LogScopeProps) {
  const { start, rows, events, hasNewer } = state
  const seesIds = useDenied('users:read') !== undefined && offers('users.lookup')
  if (start !== 'idle') return <span> </span>
  const total = log.total()
  const loaded = log.isSearch ? events : rows
  const oldest = loaded.at(-1)
  const newest = loaded[0]
  return (
    <>
      <span>
        {log.isSearch
          ? eventLogText.scope.searched(rows.length, events.length, total, !hasNewer)
          : isFiltered(filter)
            ? eventLogText.scope.matching(rows.length)
            : eventLogText.scope.loaded(rows.length, total)}
        {oldest && newest && (
          <>
            {`, ${hasNewer ? eventLogText.scope.from : eventLogText.scope.back} `}
            <Timestamp value={oldest.eventtime} mode="minute" />
            {hasNewer && (
              <>
                {` ${eventLogText.scope.to} `}
                <Timestamp value={newest.eventtime} mode="minute" />
              </>
            )}
          </>
        )}
      </span>
      {log.isSearch && <span>{eventLogText.scope.explain}</span>}
      {seesIds && <span>{eventLogText.scope.idsOnly}</span>}
    </>
  )
}
