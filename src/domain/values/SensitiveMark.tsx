import { IconLock } from '@tabler/icons-react'

import { sharedText } from '../../messages/index.ts'
import classes from './SensitiveMark.module.css'

export interface SensitiveMarkProps {
  /** Whether to show the word beside the lock; otherwise, only screen readers get it. */
  readonly withLabel?: boolean
}

/** Mark for sensitive data, beside a key, a value or a diff line. */
export function SensitiveMark({ withLabel = false }: SensitiveMarkProps) {
  return (
    <span className={withLabel ? classes.badge : classes.mark}>
      <IconLock size={13} stroke={2} aria-hidden />
      <span className={withLabel ? undefined : 'ds-visually-hidden'}>{sharedText.sensitive}</span>
    </span>
  )
}
