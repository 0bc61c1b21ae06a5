import type { Changeset } from '#contract/index.ts'

import { reasonText } from '../../messages/index.ts'
import classes from './Why.module.css'

type WhyProps = Pick<Changeset, 'reason' | 'reasonMasked'>

export function Why({ reason, reasonMasked = false }: WhyProps) {
  if (reason !== undefined)
    return (
      <p className={classes.why} dir="auto">
        {reasonText.quoted({ reason })}
      </p>
    )
  return reasonMasked && <p className={classes.why}>{reasonText.masked}</p>
}
