import { Button } from '@mantine/core'
import { use, useMemo } from 'react'

import { historyText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { instantMs, minuteOf } from '../../../ui/time.ts'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EntityDraft } from '../entity-draft.ts'
import type { DisabledReasons } from '../row-parts.tsx'
import type { HistoryItem } from './entries.ts'
import { type PutAllBack, putAllBack, type PutBack } from './put-back.ts'

type Possible<Result> = Exclude<Result, { readonly reason: string }>

interface PutBackButtonProps<Result> {
  readonly result: Result
  readonly label: string
  /** Accessible name that includes the property and the time, so that it makes sense out of context. */
  readonly fullLabel: string
  readonly onPutBack: (result: Possible<Result>) => void
}

/**
 * Button that restores an earlier state: in the form, or through the service for a hidden value. Shows the reason if
 * it cannot.
 */
export function PutBackButton<Result extends PutBack | PutAllBack>(props: PutBackButtonProps<Result>) {
  const { result, label, fullLabel, onPutBack } = props
  const possible = 'reason' in result ? undefined : (result as Possible<Result>)
  return (
    <DisabledReason reason={'reason' in result ? result.reason : undefined}>
      <Button
        variant="default"
        size="compact-xs"
        flex="none"
        ms="auto"
        aria-label={fullLabel}
        {...hint(hintOf(result))}
        onClick={() => {
          if (possible) onPutBack(possible)
        }}
      >
        {label}
      </Button>
    </DisabledReason>
  )
}

function hintOf(result: PutBack | PutAllBack): string {
  if ('revert' in result) return historyText.reverting.hint
  return 'draft' in result && result.replacesEdit ? historyText.restoreOverEdit : historyText.restoreHint
}

interface PutAllBackButtonProps {
  readonly entry: HistoryItem
  readonly draft: EntityDraft
  readonly denied: DisabledReasons
  readonly onPutBack: (draft: EntityDraft, words: string) => void
}

/** Button that reverts a whole write; not rendered for a write whose only change has its own button. */
export function PutAllBackButton({ entry, draft, denied, onPutBack }: PutAllBackButtonProps) {
  const { changes = [], entityTypeBefore, time } = entry
  const result = useMemo(() => putAllBack(draft, entry, denied), [draft, entry, denied])
  const minute = useMinute(time)
  // A single change has its own button, unless it is an addition.
  const isAlone = changes.length < 2 && changes[0]?.kind !== 'added'
  if (entityTypeBefore === undefined && isAlone) return null
  const some =
    'draft' in result && result.count < result.of ? { count: result.count, total: result.of } : undefined
  return (
    <PutBackButton
      result={result}
      label={some ? historyText.restoreSome(some) : historyText.restoreAll}
      fullLabel={
        some
          ? historyText.restoreSomeOf({ ...some, time: minute })
          : historyText.restoreAllOf({ time: minute })
      }
      onPutBack={(next) => onPutBack(next.draft, historyText.allInForm({ count: next.count }))}
    />
  )
}

/** Formats a time for a label. */
export function useMinute(time: string): string {
  const { shown, service } = use(ZonesContext)
  const ms = instantMs(time, service)
  return ms === undefined ? time : minuteOf(ms, shown)
}
