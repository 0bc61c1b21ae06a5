import { IconLock } from '@tabler/icons-react'

import { sharedText } from '../../messages/index.ts'
import classes from './SensitiveMark.module.css'

export interface SensitiveMarkProps {
  /** With the word beside the lock; without it the word is there for a screen reader only. */
  readonly withLabel?: boolean
}

/** The mark of everything sensitive, the only violet thing on a page: beside a key, a value, a diff line. */
export function SensitiveMark({ withLabel = false }: SensitiveMarkProps) {
  return (
    <span className={withLabel ? classes.badge : classes.mark}>
      <IconLock size={13} stroke={2} aria-hidden />
      <span className={withLabel ? undefined : 'ds-visually-hidden'}>{sharedText.sensitive}</span>
    </span>
  )
}
