import { sharedText } from '../messages/index.ts'
import { CopyButton } from './CopyButton.tsx'
import { hint } from './Hint.tsx'
import classes from './ShortId.module.css'

/** Shortens an id to its first 8 and last 4 characters. Ids created together share their beginning. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`
}

export interface ShortIdProps {
  readonly id: string
  /** Whether to show a button that copies the whole id (default true); false in dense tables. */
  readonly copy?: boolean
  /** Whether to show the whole id instead of the short form. */
  readonly full?: boolean
}

/** Id in monospace. The tooltip and the copied text contain the whole id. */
export function ShortId({ id, copy = true, full = false }: ShortIdProps) {
  return (
    <span className={classes.root}>
      <span className="ds-mono" {...(full ? {} : hint(id))}>
        {full ? id : shortId(id)}
      </span>
      {copy && <CopyButton value={id} label={sharedText.copyId} />}
    </span>
  )
}
