import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { links } from '../../app/links.ts'
import { entities as text } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import type { Target } from '../../ui/value/ValueInput.tsx'
import { ValueText } from '../../ui/value/ValueText.tsx'
import type { Action, Row, RowIssues } from './draft.ts'
import classes from './PropertyRow.module.css'

/** What the caller may do, as reasons why not; `undefined` where he may. */
export interface Denials {
  readonly write: string | undefined
  readonly readSensitive: string | undefined
  readonly writeSensitive: string | undefined
  /** For everybody: another service stored a key twice, so nothing can be removed or renamed. */
  readonly replace: string | undefined
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
  readonly revealed: boolean
  readonly focusKey: boolean
  /** Drawn at once; the others when they come near the screen. */
  readonly eager: boolean
  readonly onReveal: (id: string | undefined) => void
  readonly onAct: (action: Action) => void
}

/** What somebody else wrote while this was edited: beside the edit, so that it is seen before it is written over. */
export function Meanwhile({ row, onUndo }: { readonly row: Row; readonly onUndo?: () => void }) {
  const { meanwhile, loaded } = row
  if (meanwhile === undefined) return null
  const secret = loaded?.sensitive === true || row.sensitive
  return (
    <p className={classes.meanwhile}>
      {meanwhile === 'removed' || !loaded ? (
        text.meanwhile.removed
      ) : secret ? (
        text.meanwhile.hidden
      ) : (
        <>
          {text.meanwhile[meanwhile]}{' '}
          <ValueText type={loaded.type} value={loaded.value} renderLink={renderTarget} />
        </>
      )}{' '}
      {loaded && onUndo && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={text.form.takeTheirs(loaded.key)}
          onClick={onUndo}
        >
          {text.form.undoMeanwhile}
        </Button>
      )}
    </p>
  )
}

/** A relationship as a link to the user, or the entity, that it names. */
export function renderTarget({ user, entity }: Target): ReactNode {
  if (user === '') return null
  const to = entity === undefined ? links.user(user) : links.entity(user, entity)
  return (
    <Link
      to={to}
      className="ds-mono"
      {...hint(entity === undefined ? text.form.openUser : text.form.openEntity)}
    >
      {shortId(entity ?? user)}
    </Link>
  )
}
