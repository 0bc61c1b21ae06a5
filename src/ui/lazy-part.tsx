import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { failureText } from '../messages/index.ts'
import { typeAhead } from './keys/typed-ahead.ts'
import { showToast } from './toast.tsx'

export type LazyPart<Props extends object> = ReturnType<typeof lazyPart<Props>>

/**
 * Creates a dialog or panel whose code is loaded when it is first shown: `const FindResults = lazyPart(async () =>
 * (await import('./FindResults.tsx')).FindResults)`. If loading fails, a message says so, the part counts as closed, the
 * page keeps all input, and the next attempt loads again.
 * @param fallback Content shown until the code has loaded.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback?: ReactNode,
) {
  let Loaded: ComponentType<Props> | undefined
  /** Loads the code; rejects if that fails. */
  const read = async (): Promise<void> => {
    Loaded ??= await load()
  }
  /** Loads the code ahead of the press. A failure is ignored, because the press repeats and reports it. */
  const prefetch = () => void read().catch(() => undefined)
  const go = (show: () => void, giveUp?: () => void) =>
    read().then(
      () => {
        show()
        return true
      },
      () => {
        giveUp?.()
        showToast({ message: failureText.unloaded, tone: 'failure' })
        return false
      },
    )
  /** Runs a state change once the code has loaded; an input that it shows is given what was typed until then. */
  const whenReadTyping = (show: () => void, giveUp?: () => void) => void go(show, giveUp).then(typeAhead())
  function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => Loaded)
    const begin = useEffectEvent(() => {
      const show = () => setPart(() => Loaded)
      const { onClose } = props as { readonly onClose?: unknown }
      // Others come by themselves, so nobody has typed for them.
      if (typeof onClose === 'function') whenReadTyping(show, () => onClose())
      else void go(show)
    })
    useEffect(() => {
      if (!Loaded) begin()
    }, [])
    return Part ? <Part {...props} /> : fallback
  }
  return Object.assign(LazyPart, {
    read,
    prefetch,
    whenReadTyping,
    isRead: () => Loaded !== undefined,
  })
}
