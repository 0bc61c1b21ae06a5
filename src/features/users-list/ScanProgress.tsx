import { Box, Button, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userListText } from '../../messages/index.ts'
import type { ListStore } from './use-list-state.ts'
import type { UserListView } from './use-user-list.ts'
import type { LocalSearch, Scan } from '../../domain/user-list/list-state.ts'
import { userPages } from '../../domain/user-list/user-pages.ts'
import { type Run, useWork } from '../../domain/work/use-work.ts'
import { matchRanges } from '../../ui/Highlight.tsx'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import type { User } from '#contract/index.ts'

const scanText = userListText.scan
const barStyle = { flex: '1 1 80px', maxWidth: 320 }
const figuresStyle = { fontVariantNumeric: 'tabular-nums' }

interface ScanProgressProps {
  readonly store: ListStore
  readonly local: LocalSearch
}

/** Scans all pages while mounted, and shows the progress with buttons to stop and resume. */
export function ScanProgress({ store: { list, dispatch }, local }: ScanProgressProps) {
  // The state is kept with the history entry.
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
  const { searched, total, matches, isCutOff } = work.progress ?? nothingScanned
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

type ScanOfferProps = NonNullable<UserListView['box']['offer']> & { readonly view: UserListView }

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

/** Number of matches kept. Beyond it, a more specific search text helps more than a longer list. */
export const maxMatches = 500

const nothingScanned: Scan = { searched: 0, total: undefined, matches: [], isCutOff: false, next: '' }

/** Scans the pages for matches. A repeated run resumes after the last page that was read. */
export function scanPages(q: string, segment: string): Run<Scan, void> {
  const isMatch = matcher(q)
  return async (signal, onProgress, from = nothingScanned) => {
    let scan = from
    for await (const { users, total, next } of userPages({ segment, from: from.next, signal })) {
      signal.throwIfAborted()
      const matches = [...scan.matches, ...users.filter(isMatch)]
      const isCutOff = matches.length > maxMatches
      scan = {
        searched: scan.searched + users.length,
        total: total ?? scan.total,
        matches: isCutOff ? matches.slice(0, maxMatches) : matches,
        isCutOff,
        next,
      }
      onProgress(scan)
      if (isCutOff || next === undefined) return
      signal.throwIfAborted()
    }
  }
}

/**
 * Returns a predicate that tests whether each word of a search is in a user's name, e-mail, ref or id, by the same rule
 * that highlights matches. The parts of a word with punctuation, such as `C-1042` or an e-mail, must be found in
 * one field.
 */
export function matcher(q: string): (user: User) => boolean {
  const words = q
    .normalize('NFC')
    .replace(/['’‘ʼ`´]/g, '')
    .split(/\s+/)
    .map((word) => word.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
  return (user) => {
    const fields = [nameOf(user), emailOf(user), user.ref, user.id].filter(
      (field) => typeof field === 'string',
    )
    const isFound = (parts: readonly string[]) =>
      fields.some((field) => parts.every((part) => matchRanges(field, part).length > 0))
    return words.length > 0 && words.every(isFound)
  }
}
