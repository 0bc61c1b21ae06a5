import { Button } from '@mantine/core'

import { entities as text, shell } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import classes from './EntityForm.module.css'

export interface ChangeBarProps {
  readonly isNew: boolean
  readonly changed: number
  readonly removed: number
  /** Rows that keep it from being saved, once that was tried. */
  readonly invalid: number
  readonly pending: boolean
  /** It is first to be found out what was saved. */
  readonly blocked: boolean
  readonly onDiscard: (() => void) | undefined
}

/** Stays in view while there is something to save. */
export function ChangeBar({ isNew, changed, removed, invalid, pending, blocked, onDiscard }: ChangeBarProps) {
  return (
    <section aria-label={text.bar.label} className={classes.bar}>
      <output className={classes.summary}>
        {!isNew && text.bar.summary(changed, removed)}
        {invalid > 0 && <span className={classes.invalid}>{text.bar.invalid(invalid)}</span>}
      </output>
      <Button variant="default" onClick={onDiscard} disabled={pending}>
        {isNew ? text.bar.cancel : text.bar.discard}
      </Button>
      <Button type="submit" loading={pending} disabled={blocked}>
        {isNew ? text.bar.create : text.bar.review}
      </Button>
    </section>
  )
}

export interface DiscardDialogProps {
  readonly count: number
  readonly onDiscard: () => void
  readonly onClose: () => void
}

export function DiscardDialog({ count, onDiscard, onClose }: DiscardDialogProps) {
  return (
    <Dialog
      title={text.discard.title}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onDiscard}>
            {text.discard.action(count)}
          </Button>
          <Button onClick={onClose}>{shell.leave.stay}</Button>
        </>
      }
    >
      <p>{text.discard.body}</p>
    </Dialog>
  )
}
