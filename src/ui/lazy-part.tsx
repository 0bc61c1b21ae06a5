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
  /** Runs a state change only once the code has loaded. */
  const whenRead = (show: () => void, giveUp?: () => void) => void go(show, giveUp)
  /** Does so for what has an input, which is given what is typed until it is there. */
  const whenReadTyping = (show: () => void, giveUp?: () => void) => void go(show, giveUp).then(typeAhead())
  function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => Loaded)
    const begin = useEffectEvent(() => {
      const show = () => setPart(() => Loaded)
      const { onClose } = props as { readonly onClose?: unknown }
      // Others come by themselves, so nobody has typed for them.
      if (typeof onClose === 'function') whenReadTyping(show, () => onClose())
      else whenRead(show)
    })
    useEffect(() => {
      if (!Loaded) begin()
    }, [])
    return Part ? <Part {...props} /> : fallback
  }
  return Object.assign(LazyPart, {
    read,
    prefetch,
    whenRead,
    whenReadTyping,
    isRead: () => Loaded !== undefined,
  })
}

const early: (() => Promise<void>)[] = []
let areRead = false

/**
 * Creates a lazy part that its page shows on a press. Its code loads as soon as the first page is on the screen, or at
 * once if the part is of a later page.
 */
export function earlyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const part = lazyPart(load)
  if (areRead) part.prefetch()
  else early.push(part.read)
  return part
}

/** Loads the code of all early parts. Failures are ignored, because a press repeats and reports them. */
export async function readEarlyParts(): Promise<void> {
  areRead = true
  await Promise.allSettled(early.map((read) => read()))
}
