import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

import { entityText } from '../../messages/index.ts'
import type { Target } from '../../domain/values/ValueText.tsx'
import { ValueText } from '../../domain/values/ValueText.tsx'
import type { Action } from './entity-draft.ts'
import { isSecret, type Row } from './row.ts'
import type { RowIssues } from '../../domain/failures/pointers.ts'
import classes from './PropertyRow.module.css'
import type { Revealed } from './reveal.ts'
import type { RowFocus } from './row-focus.ts'
import { IdLink, TargetLink } from './target/TargetLink.tsx'

/** What the caller may do, as reasons why not; `undefined` where he may. */
export interface Denials {
  readonly write: string | undefined
  readonly readSensitive: string | undefined
  readonly writeSensitive: string | undefined
  /** For everybody: another service stored a key twice, so nothing can be removed or renamed. */
  readonly replace: string | undefined
  /** To see what it was before. */
  readonly history: string | undefined
}

export interface PropertyRowProps {
  readonly row: Row
  readonly types: readonly { readonly value: string; readonly label: string }[]
  /** Kept back from what has not been left yet, unless the whole form was to be saved. */
  readonly issues: RowIssues | undefined
  readonly showIssues: boolean
  /** What the service said about it. */
  readonly refused: RowIssues | undefined
  readonly denied: Denials
  /** Its key stands more than once in what was loaded. */
  readonly repeated: boolean
  /** Its sensitive value, while it is shown. */
  readonly revealed: Revealed | undefined
  /** It is to take the focus. */
  readonly focus: RowFocus | undefined
  readonly onReveal: (row: Row) => void
  readonly onHide: () => void
  readonly onAct: (action: Action) => void
  /** By the key that it is stored under. */
  readonly onHistory: (key?: string) => void
}

interface MeanwhileProps {
  readonly row: Row
  readonly onUndo?: () => void
  readonly onKeep?: () => void
}

/** What somebody else wrote while this was edited: beside the edit, so that it is seen before it is written over. */
export function Meanwhile({ row, onUndo, onKeep }: MeanwhileProps) {
  const { meanwhile, loaded, before } = row
  if (meanwhile === undefined || !row.contested) return null
  return (
    <p className={classes.meanwhile}>
      {!loaded ? (
        entityText.meanwhile.removed
      ) : loaded === before ? (
        // The property itself is as it was; it is the key given here that they wrote.
        entityText.meanwhile[meanwhile === 'removed' ? 'removedKey' : 'addedKey']
      ) : meanwhile === 'removed' ? (
        entityText.meanwhile.removed
      ) : isSecret(row) ? (
        entityText.meanwhile.hidden
      ) : (
        <>
          {entityText.meanwhile[meanwhile]}{' '}
          <ValueText type={loaded.type} value={loaded.value} renderLink={renderTarget} />
        </>
      )}{' '}
      {loaded && onUndo && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={entityText.form.takeTheirs(loaded.key)}
          onClick={onUndo}
        >
          {entityText.form.undoMeanwhile}
        </Button>
      )}{' '}
      {onKeep && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={entityText.form.keepMineOf(row.key)}
          onClick={onKeep}
        >
          {entityText.form.keepMine}
        </Button>
      )}
    </p>
  )
}

/** A relationship as a link to the user, or the entity, that it names. */
export function renderTarget(target: Target): ReactNode {
  return <TargetLink {...target} />
}

/** The same for a sensitive value. */
export function renderHiddenTarget(target: Target): ReactNode {
  return <IdLink {...target} />
}
