import { Button, Drawer, Group, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'

import type { Entity } from '#contract/index.ts'
import { ApiError, keyedWrites } from '../../../api/index.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { propertyLabel, typeWithin } from '../../../domain/labels.ts'
import { isReasonMissing, useReason, ReasonField } from '../../../domain/writing/reason.tsx'
import { useSubmitLock } from '../../../domain/writing/use-submit-lock.ts'
import { entityText, historyText, sharedText } from '../../../messages/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useFocusBack, useOverlay } from '../../../ui/overlay-hooks.ts'
import { SkeletonRows } from '../../../ui/skeletons/SkeletonRows.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { EntityDraft, DisabledReasons } from '../draft/entity-draft.ts'
import { RevealDialog } from '../sensitive/AskDialog.tsx'
import { useShown } from '../sensitive/reveal.ts'
import { entriesAbout, entriesOf } from './entries.ts'
import { HistoryEntry, type HistoryEntryProps, HistoryNote, type MaskedChange } from './HistoryEntry.tsx'
import { historyQuery } from './queries.ts'
import type { ServiceRevert } from './revert.ts'
import { revealChange, revertProperty } from './writes.ts'
import classes from './HistoryPanel.module.css'

export interface HistoryPanelProps {
  readonly userId: string
  readonly entityId: string
  readonly draft: EntityDraft
  /** Stored key of the property whose history is shown; undefined for the whole entity. */
  readonly about: string | undefined
  readonly denied: DisabledReasons
  readonly onRevertDraft: HistoryEntryProps['onRevertDraft']
  /** Reads the entity again and shows it, after it was changed. */
  readonly onReadAgain: () => Promise<void>
  readonly onClose: () => void
}

/** Number of entries that are loaded before the reader must ask for more. */
const shownAtOnce = 10
/** Number of writes that are searched for these entries before the reader must ask for more. */
const searchedAtOnce = 250

/** History of an entity, or of one property, newest first, with buttons that restore earlier values. */
export function HistoryPanel(props: HistoryPanelProps) {
  const { onReadAgain, ...rest } = props
  const { userId, draft, onClose } = props
  const [question, setQuestion] = useState<Pick<RevertDialogProps, 'revert' | 'time'>>()
  // The dialog replaces the panel instead of covering it, so that only one of them awaits an answer.
  if (!question || !draft.loaded)
    return <Panel {...rest} onRevert={(revert, time) => setQuestion({ revert, time })} />
  return (
    <RevertDialog
      {...question}
      userId={userId}
      loaded={draft.loaded}
      onReadAgain={async () => {
        onClose()
        await onReadAgain()
      }}
      onClose={() => setQuestion(undefined)}
    />
  )
}

type PanelProps = Omit<HistoryPanelProps, 'onReadAgain'> & Pick<HistoryEntryProps, 'onRevert'>

function Panel(props: PanelProps) {
  const { onClose, ...rest } = props
  const { draft, about } = props
  const type = draft.loaded?.type ?? draft.type
  useFocusBack()
  const isTopmost = useOverlay()
  return (
    <Drawer
      opened
      position="right"
      size={560}
      onClose={() => {
        if (isTopmost()) onClose()
      }}
      closeButtonProps={{ 'aria-label': sharedText.close }}
      attributes={{ header: { role: 'none' }, title: { tabIndex: -1, 'data-autofocus': true } }}
      title={
        about === undefined
          ? historyText.ofEntity({ type: typeWithin(type) })
          : historyText.ofProperty({ label: propertyLabel(type, about) })
      }
    >
      <Text component="div" size="sm">
        <Entries {...rest} />
      </Text>
    </Drawer>
  )
}

function Entries({ userId, entityId, about, ...rest }: Omit<PanelProps, 'onClose'>) {
  const query = useInfiniteQuery(historyQuery(userId, entityId))
  const { data, hasNextPage, isFetching, error, refetch, fetchNextPage } = query
  const writes = useMemo(() => data?.pages.flatMap((page) => page.writes) ?? [], [data])
  const older = !data || hasNextPage
  const { loaded } = rest.draft
  const reveal = useShown<MaskedChange>()
  const entries = useMemo(() => {
    const sensitive =
      loaded?.properties.filter((each) => each.sensitive === true || each.masked === true) ?? []
    const all = entriesOf(writes, new Set(sensitive.map(({ key }) => key)))
    return about === undefined ? all : entriesAbout(all, about)
  }, [writes, loaded, about])

  const [goal, setGoal] = useState({ shown: shownAtOnce, searched: searchedAtOnce })
  const goesOn =
    older && writes.length > 0 && !error && entries.length < goal.shown && writes.length < goal.searched
  // Number of the page to read on with, because a page from the cache arrives without `isFetching` having been seen.
  const nextPage = goesOn && !isFetching ? data?.pages.length : undefined
  useEffect(() => {
    if (nextPage !== undefined) void fetchNextPage()
  }, [nextPage, fetchNextPage])

  const isBusy = isFetching || goesOn
  const notKept = about === undefined ? 0 : writes.filter(({ changeset }) => !changeset).length
  return (
    <>
      {entries.length > 0 && (
        <ol aria-label={historyText.list} className={classes.list}>
          {entries.map((entry) => (
            <HistoryEntry
              key={entry.id}
              {...rest}
              reveal={reveal}
              entry={entry}
              ofProperty={about !== undefined}
            />
          ))}
        </ol>
      )}
      {isBusy && about !== undefined && writes.length > 0 && (
        <HistoryNote>{historyText.searching({ count: writes.length })}</HistoryNote>
      )}
      {isBusy && <SkeletonRows rows={entries.length === 0 ? 4 : 1} height="56px" />}
      {error && !isFetching && (
        <InlineFailure
          title={writes.length > 0 ? historyText.olderFailed : historyText.failed}
          error={error}
          onRetry={() => void (data ? fetchNextPage() : refetch())}
        />
      )}
      <Group gap="8px 16px" pt="md" c="dimmed">
        {!isBusy && older && !error && (
          <Button
            variant="default"
            onClick={() =>
              setGoal({
                shown: entries.length + shownAtOnce,
                searched: writes.length + searchedAtOnce,
              })
            }
          >
            {historyText.older}
          </Button>
        )}
        <output>
          {!isBusy && !error && summaryOf(about !== undefined, entries.length, writes.length, older)}
        </output>
      </Group>
      {notKept > 0 && <HistoryNote>{historyText.someNotKept({ count: notKept })}</HistoryNote>}
      {reveal.asking && <RevealChangeDialog userId={userId} asked={reveal.asking} reveal={reveal} />}
    </>
  )
}

interface RevealChangeDialogProps
  extends Pick<HistoryPanelProps, 'userId'>, Pick<HistoryEntryProps, 'reveal'> {
  readonly asked: MaskedChange
}

function RevealChangeDialog({ userId, asked, reveal }: RevealChangeDialogProps) {
  const { id, changesetId, key } = asked
  return (
    <RevealDialog
      userId={userId}
      propertyKey={key}
      request={revealChange(changesetId)}
      onShow={(change) => reveal.show(id, { type: change.type, value: change })}
      onClose={reveal.hide}
    />
  )
}

function summaryOf(ofProperty: boolean, shown: number, searched: number, hasMore: boolean): string {
  if (!hasMore) return shown === 0 ? historyText.none : historyText.end({ count: shown })
  if (!ofProperty) return historyText.more({ count: shown })
  return shown === 0
    ? historyText.notYet({ count: searched })
    : historyText.searched({ found: shown, count: searched })
}

const revertingText = historyText.reverting

interface RevertDialogProps extends Pick<HistoryPanelProps, 'userId' | 'onReadAgain' | 'onClose'> {
  /** Entity as this person last read it. */
  readonly loaded: Entity
  readonly revert: ServiceRevert
  /** Time of the write to revert; the value before it is restored. */
  readonly time: string
}

function RevertDialog({ userId, loaded, revert, time, onReadAgain, onClose }: RevertDialogProps) {
  const label = propertyLabel(loaded.type, revert.key)
  const [write] = useState(keyedWrites)
  const reason = useReason('', revert.opens)
  const { mutateAsync, isPending, error, data } = useMutation(
    revertProperty(userId, loaded, write, reason.given),
  )
  const once = useSubmitLock()
  const isContested = data === 'contested'
  const readAgain = async () => {
    try {
      await onReadAgain()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      showToast({ message: revertingText.unread, tone: 'failure', requestId: failure.requestId })
    }
    onClose()
  }
  const send = async (free: () => void) => {
    const outcome = await mutateAsync(revert).catch((failure: unknown) => {
      if (isReasonMissing(failure)) reason.demand()
    })
    if (outcome !== 'put back') return free()
    showToast({ message: revertingText.done({ label }) })
    await readAgain()
  }
  const submit = () => {
    if (reason.isReady()) once((free) => void send(free))
  }
  return (
    <Dialog
      title={revertingText.title({ label })}
      onClose={onClose}
      back={sharedText.cancel}
      isBusy={isPending}
      actions={
        isContested ? (
          <Button onClick={() => void readAgain()}>{entityText.failure.readAgain}</Button>
        ) : (
          <Button onClick={submit} loading={isPending}>
            {historyText.restore}
          </Button>
        )
      }
    >
      <p>{revertingText.body({ label, time })}</p>
      {!isContested && <ReasonField reason={reason} onEnter={submit} />}
      {isContested && (
        <InlineFailure title={revertingText.contested({ label })}>
          {revertingText.contestedBody}
        </InlineFailure>
      )}
      {error && !isReasonMissing(error) && (
        <InlineFailure title={revertingText.failed} error={error} own={revertingText.failure} />
      )}
    </Dialog>
  )
}
