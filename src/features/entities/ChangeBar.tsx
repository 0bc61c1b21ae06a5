import { Button } from '@mantine/core'

import { entityText } from '../../messages/index.ts'
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
    <section aria-label={entityText.bar.label} className={classes.bar}>
      <output className={classes.summary}>
        {!isNew && entityText.bar.summary(changed, removed)}
        {invalid > 0 && <span className={classes.invalid}>{entityText.bar.invalid(invalid)}</span>}
      </output>
      <Button variant="default" onClick={onDiscard} disabled={pending}>
        {isNew ? entityText.bar.cancel : entityText.bar.discard}
      </Button>
      <Button type="submit" loading={pending} disabled={blocked}>
        {isNew ? entityText.bar.create : entityText.bar.review}
      </Button>
    </section>
  )
}
