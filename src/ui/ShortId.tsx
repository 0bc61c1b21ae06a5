import { sharedText } from '../messages/index.ts'
import { CopyButton } from './CopyButton.tsx'
import { hint } from './Hint.tsx'
import classes from './ShortId.module.css'

/**
 * The first 8 characters and the last 4: ids are often ordered by time, so those made in one go share their
 * beginning.
 */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`
}

export interface ShortIdProps {
  readonly id: string
  /** With a button that copies the whole id (default); leave it out in dense tables. */
  readonly copy?: boolean
  /** The whole id instead of the short form. */
  readonly full?: boolean
}

/** An id in monospace, whole on hover and in what is copied. */
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
