import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Property } from '#contract/index.ts'
import { rawText } from '#contract/reading/written.ts'
import { MarkedLabel } from '../../../domain/changes/ComparisonTable.tsx'
import { typeLabel } from '../../../domain/labels.ts'
import { lastWritersQuery } from '../../../domain/people/last-writers.ts'
import { ConflictDialog, type Question } from '../../../domain/writing/ConflictDialog.tsx'
import { entityMergeText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import { differenceOf } from '../draft/difference.ts'
import type { EntityDraft } from '../draft/entity-draft.ts'
import { useLabel } from '../draft/entity-type.ts'
import { decide, isTypeUndecided, typeChoice } from '../draft/merge.ts'
import { draftOfRow, hasNewValue, isSecret, type DraftRow } from '../draft/row.ts'
import { nameOf, useTitleOf } from '../row/EntityTitle.tsx'
import { type Named, PropertyState, PropertyValue } from './ChangesTable.tsx'

export interface MergeDialogProps {
  readonly userId: string
  /** Draft with its conflicts marked. */
  readonly draft: EntityDraft
  readonly pending: boolean
  readonly onSave: (decided: EntityDraft) => void
  /** Returns to the form, which still holds all edits. */
  readonly onClose: () => void
}

/** Dialog that resolves the conflicts between the edits of two people. */
export function MergeDialog({ userId, draft, pending, onSave, onClose }: MergeDialogProps) {
  const { loaded, concurrentChanges, type } = draft
  const label = useLabel()
  const rows = draft.rows.filter(({ contested }) => contested)
  // Authors of the other changes, if the service records them. The dialog does not wait for their names.
  const { data: writers } = useQuery(lastWritersQuery(loaded, rows.map(theirKey), isTypeUndecided(draft)))
  const contestedIds = new Set(rows.map(({ id }) => id))
  const titleOf = useTitleOf(userId)
  const entity = loaded ? nameOf(titleOf(loaded)) : typeLabel(type)
  const aboutType: Question = {
    id: typeChoice,
    legend: entityMergeText.entityType,
    mine: typeLabel(type),
    theirs: loaded && typeLabel(loaded.type),
    before: concurrentChanges?.typeBefore !== undefined && typeLabel(concurrentChanges.typeBefore),
    writer: writers?.find(({ of }) => of === 'entity type'),
  }
  const questions = rows.map((row): Question => ({
    id: row.id,
    legend: <MarkedLabel label={label(row.loaded?.key ?? row.key)} isSecret={isSecret(row)} />,
    mine: <Mine row={row} rows={draft.rows} />,
    theirs: <Theirs row={row} rows={draft.rows} />,
    before: <Before row={row} />,
    writer: writers?.find(({ of, key }) => of === 'property' && key === theirKey(row)),
  }))
  return (
    <ConflictDialog
      title={entityMergeText.title({ entity })}
      on={draft}
      questions={isTypeUndecided(draft) ? [aboutType, ...questions] : questions}
      takenOver={(concurrentChanges?.theirs ?? []).map(label)}
      alsoSent={differenceOf(draft).changes.flatMap(({ id, key }) =>
        contestedIds.has(id) ? [] : [label(key)],
      )}
      keepsTheirs={(choices) => {
        const then = decide(draft, choices)
        return differenceOf(then).changes.length === 0 && then.type === loaded?.type
      }}
      pending={pending}
      onSave={(choices) => onSave(decide(draft, choices))}
      onClose={onClose}
    >
      {concurrentChanges && concurrentChanges.lost.length > 0 && (
        <Text size="sm" px="sm" py="xs" bg="var(--ds-removed-bg)" bdrs="md">
          {entityMergeText.lost({ properties: listNames(concurrentChanges.lost.map(label)) })}
        </Text>
      )}
    </ConflictDialog>
  )
}

/** Returns the key that the other person wrote, which may be the one that this row was renamed to. */
function theirKey(row: DraftRow): string {
  return isAboutKey(row) ? row.key : (row.loaded ?? row.before ?? row).key
}

/** Whether the other person wrote the key that this row was renamed to, while the row's own property is unchanged. */
function isAboutKey({ loaded, before }: DraftRow): boolean {
  return loaded !== undefined && loaded === before
}

function holder(key: string, rows: readonly DraftRow[]): Property | undefined {
  return rows.find((row) => row.loaded?.key === key && row.key === key)?.loaded
}

interface SideProps {
  readonly row: DraftRow
  readonly rows: readonly DraftRow[]
}

function Mine({ row, rows }: SideProps) {
  const { key, type, read } = row
  const label = useLabel()
  if (row.state === 'removed') return entityMergeText.gone
  const { hiddenUnchanged, takesKey } = entityMergeText
  const value =
    read === 'unseen' || read.issues ? (
      rawText(draftOfRow(row).text)
    ) : (
      <PropertyValue of={{ key, type, value: read.value }} />
    )
  return (
    <>
      <Side of={row} row={row} mask={hasNewValue(row) ? value : hiddenUnchanged}>
        {value}
      </Side>
      {isAboutKey(row) && holder(key, rows) && <div>{takesKey({ label: label(key) })}</div>}
    </>
  )
}

function Theirs({ row, rows }: SideProps) {
  const { loaded, before, key } = row
  const label = useLabel()
  if (!loaded) return entityMergeText.gone
  const added = isAboutKey(row) ? holder(key, rows) : undefined
  const { hidden, hiddenUnchanged, hiddenChanged, addedKey, removedKey } = entityMergeText
  return (
    <>
      <Side
        of={loaded}
        row={row}
        mask={before && isSameSecret(before, loaded) ? hiddenUnchanged : hiddenChanged}
      >
        <PropertyValue of={loaded} />
      </Side>
      {added && (
        <div>
          {addedKey.withElements({
            label: label(key),
            value: added.sensitive === true ? hidden : <PropertyValue of={added} />,
          })}
        </div>
      )}
      {isAboutKey(row) && !added && <div>{removedKey({ label: label(key) })}</div>}
    </>
  )
}

function isSameSecret(a: Property, b: Property): boolean {
  return a.masked === true && b.masked === true
    ? a.version !== undefined && a.version === b.version
    : JSON.stringify(a.value) === JSON.stringify(b.value)
}

function Before({ row }: { readonly row: DraftRow }) {
  const { before } = row
  if (!before) return entityMergeText.absent
  return (
    <Side of={before} row={row} mask={entityMergeText.hidden}>
      <PropertyValue of={before} />
    </Side>
  )
}

interface SideValueProps {
  readonly of: Named
  readonly row: DraftRow
  /** Content shown in place of a sensitive value. */
  readonly mask: ReactNode
  readonly children: ReactNode
}

function Side({ of, row, mask, children }: SideValueProps) {
  const sides: Named[] = [row, row.loaded, row.before].filter((each) => each !== undefined)
  const aspects = (['key', 'type', 'sensitive'] as const).filter(
    (aspect) => new Set(sides.map((each) => each[aspect] ?? false)).size > 1,
  )
  return (
    <PropertyState of={of} aspects={aspects}>
      {isSecret(row) ? mask : children}
    </PropertyState>
  )
}
