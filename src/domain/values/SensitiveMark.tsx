import { IconLock } from '@tabler/icons-react'

import { sharedText } from '../../messages/index.ts'
import classes from './SensitiveMark.module.css'

/** Mark for sensitive data. Without the word beside the lock, only screen readers get it. */
export function SensitiveMark({ withLabel = false }: { readonly withLabel?: boolean }) {
  return (
    <span className={withLabel ? classes.badge : classes.mark}>
      <IconLock size={13} stroke={2} aria-hidden />
      <span className={withLabel ? undefined : 'ds-visually-hidden'}>{sharedText.sensitive}</span>
    </span>
  )
}
