import { Box, Button, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userListText } from '../../messages/index.ts'
import { maxMatches, nothingScanned, scanPages } from './scan.ts'
import type { ListStore } from './use-list-state.ts'
import type { UserListView } from './use-user-list.ts'
import type { LocalSearch, Scan } from '../../domain/user-list/list-state.ts'
import { useWork } from '../../domain/work/use-work.ts'

const scanText = userListText.scan
const barStyle = { flex: '1 1 80px', maxWidth: 320 }
const figuresStyle = { fontVariantNumeric: 'tabular-nums' }

export interface ScanProgressProps {
  readonly store: ListStore
  readonly local: LocalSearch
}

/** Scans all pages while mounted, and shows the progress with buttons to stop and resume. */
export function ScanProgress(props: ScanProgressProps) {
  const { work, progress, pause, goOn } = useScan(props)
  const { searched, total, matches, isCutOff } = progress
  const isRunning = work.phase === 'running' || work.phase === 'idle'
  const isDone = work.phase === 'done' && !isCutOff
  const part = total === undefined || total === 0 ? 0 : Math.min(1, searched / total)
  const figures = { searched, found: matches.length }
  const line = isDone
    ? scanText.searchedAll(figures)
    : total === undefined
      ? scanText.searched(figures)
      : scanText.searchedOf({ ...figures, total })
  return (
    <>
      <Group gap={12} wrap="nowrap" mih="var(--ds-control-height)" pb={8} fz="sm" style={figuresStyle}>
        {!isDone && (
          <progress aria-label={scanText.progress} aria-valuetext={line} value={part} style={barStyle} />
        )}
        {/* Screen readers announce the end, not every page. */}
        <output aria-live={isRunning ? 'off' : 'polite'}>{line}</output>
        {isRunning && (
          <Button variant="default" onClick={pause}>
            {scanText.stop}
          </Button>
        )}
        {work.phase === 'paused' && (
          <Button variant="default" onClick={goOn}>
            {scanText.resume}
          </Button>
        )}
      </Group>
      {work.phase === 'failed' && (
        <Box pb={12}>
          <InlineFailure
            title={scanText.failedTitle}
            error={work.error}
            own={{ kept: scanText.failedBody }}
            onRetry={goOn}
          />
        </Box>
      )}
      {isCutOff && (
        <Text size="sm" c="dimmed" pb={8}>
          {scanText.full({ max: maxMatches })}
        </Text>
      )}
    </>
  )
}

interface ScanOfferProps {
  readonly view: UserListView
  readonly scan: () => void
  /** Opens the text as an id; undefined if it cannot be one. */
  readonly openId: (() => void) | undefined
}

/** Buttons for the text in the search box, on a service without search: open it as an id, or scan all pages for it. */
export function ScanOffer({ view, scan, openId }: ScanOfferProps) {
  return (
    <>
      {openId && (
        <Button variant="subtle" me={8} onClick={openId}>
          {scanText.openId}
        </Button>
      )}
      <Button variant="light" onClick={scan}>
        {scanLabel(view)}
      </Button>
    </>
  )
}

export function scanLabel({ segment, total }: UserListView): string {
  const isAll = segment === ''
  if (total === undefined) return isAll ? scanText.start : scanText.startSegment
  return isAll ? scanText.startAmong({ total }) : scanText.startSegmentAmong({ total })
}

/** Scans all pages of the segment, for a service without search. The state is kept with the history entry. */
function useScan({ store: { list, dispatch }, local }: ScanProgressProps) {
  const { work, begin, pause, leave } = useWork<Scan>([
    local.scan,
    (change) => dispatch({ is: 'scan', change }),
  ])
  const goOn = () => begin(scanPages(local.text, list.segment))
  const start = useEffectEvent(() => {
    if (work.phase === 'idle' || work.phase === 'running') goOn()
  })
  useEffect(() => {
    start()
    return leave
  }, [leave])
  return { work, progress: work.progress ?? nothingScanned, pause, goOn }
}
