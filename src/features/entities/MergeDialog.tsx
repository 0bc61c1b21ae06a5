import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { entityMerge as text } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { type Side, SideChoice } from '../../domain/writing/SideChoice.tsx'
import { changesOf } from './change.ts'
import { type EntityDraft, isSecret } from './draft.ts'
import { decide, isTypeUndecided, isUndecided, lostChoice, typeChoice } from './merge.ts'
import { lastWritersQuery } from '../../domain/people/last-writers.ts'
import classes from './MergeDialog.module.css'
import { Before, Mine, Note, theirKey, Theirs } from './MergeSides.tsx'

export interface MergeDialogProps {
  /** With what was written on both sides marked. */
  readonly draft: EntityDraft
  readonly pending: boolean
  readonly onSave: (decided: EntityDraft) => void
  /** Back to the form, which still holds everything. */
  readonly onClose: () => void
}

const none: ReadonlyMap<string, Side> = new Map()

/** Properties that two people changed, side by side; nothing is sent before each of them is decided. */
export function MergeDialog({ draft, pending, onSave, onClose }: MergeDialogProps) {
  // A choice holds for the state that it was made on: a third edit asks anew.
  const [made, setMade] = useState({ on: draft, choices: none })
  const choices = made.on === draft ? made.choices : none
  const choose = (more: Iterable<readonly [string, Side]>) =>
    setMade({ on: draft, choices: new Map([...choices, ...more]) })

  const { loaded, meanwhile } = draft
  const rows = draft.rows.filter(isUndecided)
  const withType = isTypeUndecided(draft)
  const asked = [...(withType ? [typeChoice] : []), ...rows.map(({ id }) => id)]
  // Who it was, where the service tells; the question does not wait for it.
  const { data: writers } = useQuery(lastWritersQuery(loaded, rows.map(theirKey)))
  const decided = decide(draft, new Map([...choices, [lostChoice, 'theirs']]))
  const isDecided = asked.every((id) => choices.has(id))
  const contested = new Set(rows.map(({ id }) => id))
  const alsoSent = changesOf(draft)
    .filter(({ row }) => !contested.has(row.id))
    .map(({ row }) => row.key)
  const keepsTheirs = isDecided && changesOf(decided).length === 0 && decided.type === loaded?.type

  return (
    <Dialog
      width={640}
      title={text.title(loaded?.type ?? draft.type)}
      {...(pending ? {} : { onClose })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={pending}>
            {text.cancel}
          </Button>
          <Button onClick={() => onSave(decided)} disabled={!isDecided} loading={pending}>
            {keepsTheirs ? text.keepTheirs : text.save}
          </Button>
        </>
      }
    >
      <p>{text.body}</p>
      {asked.length > 2 && (
        <div className={classes.all}>
          {(['mine', 'theirs'] as const).map((side) => (
            <Button
              key={side}
              size="compact-sm"
              variant="default"
              onClick={() => choose(asked.map((id) => [id, side] as const))}
            >
              {side === 'mine' ? text.allMine : text.allTheirs}
            </Button>
          ))}
        </div>
      )}
      {asked.length > 0 && (
        <div className={classes.scroll}>
          {withType && (
            <SideChoice
              legend={text.entityType}
              who={text}
              what={{ mine: draft.type, theirs: loaded?.type }}
              chosen={choices.get(typeChoice)}
              onChoose={(side) => choose([[typeChoice, side]])}
              note={
                <Note
                  before={meanwhile?.typeBefore}
                  writer={writers?.find(({ of }) => of === 'entity type')}
                />
              }
            />
          )}
          {rows.map((row) => (
            <SideChoice
              key={row.id}
              legend={
                <>
                  <span className="ds-mono">{row.loaded?.key ?? row.key}</span>{' '}
                  {isSecret(row) && <SensitiveMark />}
                </>
              }
              who={text}
              what={{
                mine: <Mine row={row} rows={draft.rows} />,
                theirs: <Theirs row={row} rows={draft.rows} />,
              }}
              chosen={choices.get(row.id)}
              onChoose={(side) => choose([[row.id, side]])}
              note={
                <Note
                  before={<Before row={row} />}
                  writer={writers?.find(({ of, key }) => of === 'property' && key === theirKey(row))}
                />
              }
            />
          ))}
        </div>
      )}
      {meanwhile && meanwhile.lost.length > 0 && <p className={classes.lost}>{text.lost(meanwhile.lost)}</p>}
      {meanwhile && meanwhile.theirs.length > 0 && (
        <p className={classes.note}>{text.takenOver(meanwhile.theirs)}</p>
      )}
      {alsoSent.length > 0 && <p className={classes.note}>{text.alsoSent(alsoSent)}</p>}
    </Dialog>
  )
}
