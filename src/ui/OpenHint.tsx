import { Tooltip } from '@mantine/core'

import classes from './Hint.module.css'
import { KeyHint } from './keys/KeyHint.tsx'

export interface OpenHintProps {
  readonly target: HTMLElement
  readonly text: string
  readonly shortcut: string | undefined
  readonly side: 'right' | 'bottom'
  readonly textId: string
}

export function OpenHint({ target, text, shortcut, side, textId }: OpenHintProps) {
  return (
    <Tooltip
      opened
      target={target}
      label={
        <>
          <span id={textId}>{text}</span> {shortcut !== undefined && <KeyHint shortcut={shortcut} isRead />}
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
