import '@mantine/core/styles/Tooltip.layer.css'

import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './Hint.module.css'

/** Mantine's tooltip at an element that is there already. */
export function OpenHint({
  target,
  children,
}: {
  readonly target: HTMLElement
  readonly children: ReactNode
}) {
  return (
    <Tooltip
      opened
      target={target}
      label={children}
      multiline
      interactive
      withinPortal={false}
      floatingStrategy="fixed"
      position="bottom"
      zIndex="var(--mantine-z-index-max)"
      className={classes.hint ?? ''}
    />
  )
}
