import { Box, Button, Group, Text } from '@mantine/core'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userListText } from '../../messages/index.ts'
import type { useListEntry } from './list-entry.ts'
import { maxMatches } from './scan.ts'
import { useScan } from './use-scan.ts'

const text = userListText.scan
const bar = { flex: '1 1 80px', maxWidth: 320 }
const figures = { fontVariantNumeric: 'tabular-nums' }

/** Goes through all pages as long as it is shown; how far it is, and how it goes on. */
export function ScanProgress({ listEntry }: { readonly listEntry: ReturnType<typeof useListEntry> }) {
  const { work, progress, pause, goOn } = useScan(listEntry)
  const { searched, total, matches, isFull } = progress
  const isRunning = work.phase === 'running' || work.phase === 'idle'
  const isDone = work.phase === 'done' && !isFull
  const part = total === undefined || total === 0 ? 0 : Math.min(1, searched / total)
  const words = `${isDone ? text.done(searched) : text.searched(searched, total)} · ${text.found(matches.length)}`
  return (
    <>
      <Group gap={12} wrap="nowrap" mih="var(--ds-control-height)" pb={8} fz="sm" style={figures}>
        {!isDone && <progress aria-label={text.progress} aria-valuetext={words} value={part} style={bar} />}
        {/* Said once it ends, not with every page. */}
        <output aria-live={isRunning ? 'off' : 'polite'}>{words}</output>
        {isRunning && (
          <Button variant="default" onClick={pause}>
            {text.stop}
          </Button>
        )}
        {work.phase === 'paused' && (
          <Button variant="default" onClick={goOn}>
            {text.goOn}
          </Button>
        )}
      </Group>
      {work.phase === 'failed' && (
        <Box pb={12}>
          <InlineFailure
            title={text.failedTitle}
            error={work.error}
            own={{ kept: text.failedBody }}
            onRetry={goOn}
          />
        </Box>
      )}
      {isFull && (
        <Text size="sm" c="dimmed" pb={8}>
          {text.full(maxMatches)}
        </Text>
      )}
    </>
  )
}

export interface ScanOfferProps {
  readonly segment: string
  /** Users of the segment. */
  readonly total: number | undefined
  readonly onScan: () => void
  /** Absent: the text can be no id. */
  readonly onOpenId: (() => void) | undefined
}

/** What can be done with the text that stands in the box, where the service does not search. */
export function ScanOffer({ onScan, onOpenId, ...of }: ScanOfferProps) {
  return (
    <>
      {onOpenId && (
        <Button variant="subtle" me={8} onClick={onOpenId}>
          {text.openId}
        </Button>
      )}
      <Button variant="light" onClick={onScan}>
        {scanLabel(of)}
      </Button>
    </>
  )
}

export function scanLabel({ segment, total }: Pick<ScanOfferProps, 'segment' | 'total'>): string {
  return (segment === '' ? text.start : text.startSegment)(total)
}
