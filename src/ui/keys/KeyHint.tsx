import { Kbd } from '@mantine/core'

import classes from './KeyHint.module.css'
import { splitShortcut } from './shortcut.ts'

interface KeyHintProps {
  readonly shortcut: string
  /** Part of what is read out: a hint may have no other words. */
  readonly isRead?: boolean
}

/** The keys that do the same, after its words: to be seen alone, since `aria-keyshortcuts` tells them to the others. */
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
