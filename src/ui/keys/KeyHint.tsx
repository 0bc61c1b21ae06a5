import { Kbd } from '@mantine/core'

import { splitShortcut } from './shortcut.ts'
import classes from './KeyHint.module.css'

interface KeyHintProps {
  readonly shortcut: string
  /** Whether screen readers read the keys, for a hint that contains no other words. */
  readonly isRead?: boolean
}

/** Shortcut after the name of its action. Visual only by default: `aria-keyshortcuts` tells screen readers. */
export function KeyHint({ shortcut, isRead = false }: KeyHintProps) {
  return (
    <span
      aria-hidden={!isRead || undefined}
      className={classes.root}
      data-single={!shortcut.includes('Mod') || undefined}
    >
      {splitShortcut(shortcut).map((key) => (
        <Kbd key={key} size="xs" className={classes.key ?? ''}>
          {key}
        </Kbd>
      ))}
    </span>
  )
}
