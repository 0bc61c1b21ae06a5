import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import { sharedText } from '../messages/index.ts'
import { useAnnounced } from './announced.tsx'
import { copyText } from './clipboard.ts'
import { hint } from './Hint.tsx'
import { IconButton } from './IconButton.tsx'

export interface CopyButtonProps {
  /** Text to copy. A function is called only when the button is pressed, so that a secret is not in the DOM before. */
  readonly value: string | (() => string | Promise<string>)
  readonly label?: string
  /** Whether the text has to leave the clipboard again after a minute. */
  readonly isSensitive?: boolean
  /** Whether the button gets the initial focus in a dialog. */
  readonly first?: boolean
}

/** Button that copies a text and confirms it for two seconds, on screen and to screen readers. */
export function CopyButton({
  value,
  label = sharedText.copy,
  isSensitive = false,
  first = false,
}: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')

  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async () => {
    try {
      await copyText(typeof value === 'string' ? value : await value(), isSensitive)
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  const outcome = state === 'copied' ? sharedText.copied : state === 'failed' ? sharedText.copyFailed : ''
  useAnnounced(outcome)

  return (
    <IconButton
      size="small"
      aria-label={label}
      {...hint(outcome || label)}
      {...(first && { 'data-autofocus': true })}
      onClick={() => void copy()}
    >
      {state === 'copied' ? <IconCheck size={14} stroke={2} /> : <IconCopy size={14} stroke={1.75} />}
    </IconButton>
  )
}
