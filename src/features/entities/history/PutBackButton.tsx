import { Button } from '@mantine/core'
import { use, useMemo } from 'react'

import { historyText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { exactTime, instantMs } from '../../../ui/time.ts'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EntityDraft } from '../entity-draft.ts'
import type { Denials } from '../row-parts.tsx'
import type { Entry } from './entries.ts'
import { type PutAllBack, putAllBack, type PutBack, type Revert } from './put-back.ts'

type Possible<Result> = Extract<Result, { readonly draft: EntityDraft }>

interface PutBackButtonProps<Result> {
  readonly result: Result
  readonly label: string
  /** With what and until when, where the label is read alone. */
  readonly fullLabel: string
  readonly onPutBack: (result: Possible<Result>) => void
}

/** Puts something old into the form again, or says why it cannot. */
export function PutBackButton<Result extends PutBack | PutAllBack>(props: PutBackButtonProps<Result>) {
  const { result, label, fullLabel, onPutBack } = props
  const possible = 'draft' in result ? (result as Possible<Result>) : undefined
  return (
    <DisabledReason reason={'reason' in result ? result.reason : undefined}>
      <Button
        variant="default"
        size="compact-xs"
        flex="none"
        ms="auto"
        aria-label={fullLabel}
        {...hint(possible?.replacesEdit === true ? historyText.putBackOverEdit : historyText.putBackHint)}
        onClick={() => {
          if (possible) onPutBack(possible)
        }}
      >
        {label}
      </Button>
    </DisabledReason>
  )
}

interface RevertButtonProps {
  readonly revert: Revert
  readonly fullLabel: string
  readonly onRevert: (revert: Revert) => void
}

/** Asks before the service puts a hidden value back: unlike what goes into the form, that is done at once. */
export function RevertButton({ revert, fullLabel, onRevert }: RevertButtonProps) {
  return (
    <Button
      variant="default"
      size="compact-xs"
      flex="none"
      ms="auto"
      aria-label={fullLabel}
      {...hint(historyText.reverting.hint)}
      onClick={() => onRevert(revert)}
    >
      {historyText.reverting.open}
    </Button>
  )
}

interface PutAllBackButtonProps {
  readonly entry: Entry
  readonly draft: EntityDraft
  readonly denied: Denials
  readonly onPutBack: (draft: EntityDraft, words: string) => void
}

/** Where a write did more than one thing: all of it at once. */
export function PutAllBackButton({ entry, draft, denied, onPutBack }: PutAllBackButtonProps) {
  const { changes = [], entityTypeBefore, time } = entry
  const result = useMemo(() => putAllBack(draft, entry, denied), [draft, entry, denied])
  const exact = useExact(time)
  // One thing that has a button of its own.
  const isAlone = changes.length < 2 && changes[0]?.kind !== 'added'
  if (entityTypeBefore === undefined && isAlone) return null
  const label =
    'draft' in result && result.count < result.of
      ? historyText.undoSome(result.count, result.of)
      : historyText.undo
  return (
    <PutBackButton
      result={result}
      label={label}
      fullLabel={historyText.undoOf(label, exact)}
      onPutBack={(next) => onPutBack(next.draft, historyText.undoInForm(next.count))}
    />
  )
}

/** A time to the second, for a label. */
export function useExact(time: string): string {
  const { shown, service } = use(ZonesContext)
  const ms = instantMs(time, service)
  return ms === undefined ? time : exactTime(ms, shown)
}
