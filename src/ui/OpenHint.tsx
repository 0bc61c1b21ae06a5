import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './Hint.module.css'
import { KeyHint } from './KeyHint.tsx'

/** Mantine's tooltip at an element that is there already. */
export function OpenHint({
  target,
  shortcut,
  side,
  children,
}: {
  readonly target: HTMLElement
  readonly shortcut: string | undefined
  readonly side: 'right' | 'bottom'
  readonly children: ReactNode
}) {
  return (
    <Tooltip
      opened
      target={target}
      label={
        <>
          {children} {shortcut !== undefined && <KeyHint shortcut={shortcut} isRead />}
        </>
      }
      multiline
      interactive
      withinPortal={false}
      floatingStrategy="fixed"
      position={side}
      zIndex="var(--mantine-z-index-max)"
      className={classes.hint ?? ''}
    />
  )
}
