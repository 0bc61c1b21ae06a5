import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'

import { failureText } from '../messages/index.ts'
import { showToast } from './toast.tsx'

interface LazyDialogProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>
  /** What the dialog needs to know. */
  readonly given: Props
}

/**
 * A dialog whose code comes when it is asked for. Mount it to open it; where the code cannot be read, a message says so, and
 * the page stays with all that was typed on it.
 */
export function LazyDialog<Props extends { readonly onClose: () => void }>({
  load,
  given,
}: LazyDialogProps<Props>) {
  const [Dialog, setDialog] = useState<ComponentType<Props>>()
  const begin = useEffectEvent(() =>
    load().then(
      (loaded) => setDialog(() => loaded),
      () => {
        given.onClose()
        showToast({ message: failureText.unloaded, tone: 'failure' })
      },
    ),
  )
  useEffect(() => void begin(), [])
  return Dialog && <Dialog {...given} />
}
