import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import { failureText } from '../messages/index.ts'
import { showToast } from './toast.tsx'

export type LazyPart<Props extends object> = ReturnType<typeof lazyPart<Props>>

/**
 * A dialog or panel whose code, of more than 10 kB, comes when it is first shown:
 * `const FindDialog = lazyPart(async () => (await import('./FindDialog.tsx')).FindDialog)`. Where it cannot be read, a message says
 * so, the part counts as closed, the page stays with all that was typed on it, and the next showing tries again.
 * @param fallback Stands in its place until the code is there.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback?: ReactNode,
) {
  let Loaded: ComponentType<Props> | undefined
  /** Reads the code; rejects where that fails. */
  const read = async (): Promise<void> => {
    Loaded ??= await load()
  }
  /** Reads the code before it is asked for, when its button is pointed at. A failure is met again, and told, by the press. */
  const prefetch = () => void read().catch(() => undefined)
  /** For what must not change before the code is there; where it cannot be read, a message says so. */
  const whenRead = (go: () => void, giveUp?: () => void) =>
    void read().then(go, () => {
      giveUp?.()
      showToast({ message: failureText.unloaded, tone: 'failure' })
    })
  function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => Loaded)
    const begin = useEffectEvent(() =>
      whenRead(
        () => setPart(() => Loaded),
        () => 'onClose' in props && typeof props.onClose === 'function' && props.onClose(),
      ),
    )
    useEffect(() => begin(), [])
    return Part ? <Part {...props} /> : fallback
  }
  return Object.assign(LazyPart, { read, prefetch, whenRead, isRead: () => Loaded !== undefined })
}

const early: (() => Promise<void>)[] = []

/** A part that any page may show at a press, so that its code comes as soon as the first page is on the screen. */
export function earlyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const part = lazyPart(load)
  early.push(part.read)
  return part
}

/** Reads the code of all early parts; a failure is met again, and told, by the press. */
export async function readEarlyParts(): Promise<void> {
  await Promise.allSettled(early.map((read) => read()))
}
