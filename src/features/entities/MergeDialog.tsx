import { useQuery } from '@tanstack/react-query'

import { lastWritersQuery } from '../../domain/people/last-writers.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { type Choices, ConflictDialog, type Question } from '../../domain/writing/ConflictDialog.tsx'
import { entityMergeText } from '../../messages/index.ts'
import { changesOf } from './change.ts'
import { type EntityDraft, isSecret } from './draft.ts'
import { decide, isTypeUndecided, isUndecided, lostChoice, typeChoice } from './merge.ts'
import classes from './MergeDialog.module.css'
import { Before, Mine, theirKey, Theirs } from './MergeSides.tsx'

export interface MergeDialogProps {
  /** With what was written on both sides marked. */
  readonly draft: EntityDraft
  readonly pending: boolean
  readonly onSave: (decided: EntityDraft) => void
  /** Back to the form, which still holds everything. */
  readonly onClose: () => void
}

/** Properties that two people changed. */
export function MergeDialog({ draft, pending, onSave, onClose }: MergeDialogProps) {
  const { loaded, meanwhile } = draft
  const rows = draft.rows.filter(isUndecided)
  // Who it was, where the service tells; the question does not wait for it.
  const { data: writers } = useQuery(lastWritersQuery(loaded, rows.map(theirKey)))
  const decided = (choices: Choices) => decide(draft, new Map([...choices, [lostChoice, 'theirs']]))
  const contested = new Set(rows.map(({ id }) => id))
  const aboutType: Question = {
    id: typeChoice,
    legend: entityMergeText.entityType,
    mine: draft.type,
    theirs: loaded?.type,
    before: meanwhile?.typeBefore,
    writer: writers?.find(({ of }) => of === 'entity type'),
  }
  const questions = rows.map((row): Question => ({
    id: row.id,
    legend: (
      <>
        <span className="ds-mono">{row.loaded?.key ?? row.key}</span> {isSecret(row) && <SensitiveMark />}
      </>
    ),
    mine: <Mine row={row} rows={draft.rows} />,
    theirs: <Theirs row={row} rows={draft.rows} />,
    before: (
      <div>
        <Before row={row} />
      </div>
    ),
    writer: writers?.find(({ of, key }) => of === 'property' && key === theirKey(row)),
  }))
  return (
    <ConflictDialog
      title={entityMergeText.title(loaded?.type ?? draft.type)}
      on={draft}
      questions={isTypeUndecided(draft) ? [aboutType, ...questions] : questions}
      takenOver={meanwhile?.theirs ?? []}
      alsoSent={changesOf(draft).flatMap(({ row }) => (contested.has(row.id) ? [] : [row.key]))}
      keepsTheirs={(choices) => {
        const then = decided(choices)
        return changesOf(then).length === 0 && then.type === loaded?.type
      }}
      pending={pending}
      onSave={(choices) => onSave(decided(choices))}
      onClose={onClose}
    >
      {meanwhile && meanwhile.lost.length > 0 && (
        <p className={classes.lost}>{entityMergeText.lost(meanwhile.lost)}</p>
      )}
    </ConflictDialog>
  )
}
