import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'

import type { Property } from '#contract/index.ts'
import { watchLooks, timeLeft } from '../../../auth/clock.ts'
import { useDenied, useSession } from '../../../auth/use-session.ts'
import { keepsValues } from '../../../domain/queries/entities.ts'
import type { DraftRow } from '../draft/row.ts'

/** Time for which a value stays on screen. */
export const shownMs = 60_000

/**
 * Sensitive value on screen. A value that the service masks is kept only here, and is taken out when it is hidden: React
 * keeps what it rendered before the last change.
 */
export interface Revealed {
  readonly rowId: string
  readonly type: string
  value: unknown
  readonly untilMs: number
  readonly leftMs: () => number
}

/** Last reason given, by user id; kept while the entities page is open. */
export type GivenReasons = Map<string, string>
export const GivenReasonsContext = createContext<GivenReasons>(new Map())

/** Returns what the caller may do with the values that the service masks. */
export function useMaskedAccess() {
  const denied = useDenied('sensitive:read')
  const mayCheck = keepsValues()
  return { mayReveal: mayCheck && denied === undefined, mayCheck }
}

/** Hides the value that any entity of the page currently shows or asks for. */
let hideCurrent: (() => void) | undefined

/** Hides the value that is revealed anywhere on the page, or asked for. */
export const hideRevealed = () => hideCurrent?.()

interface Revealing {
  /** Value that is revealed; undefined if there is none. */
  readonly revealed: Revealed | undefined
  readonly reveal: (row: DraftRow) => void
  readonly show: (rowId: string, property: Pick<Property, 'type' | 'value'>) => void
  readonly hide: () => void
}

const never = () => undefined
const nothing: Revealing = { revealed: undefined, reveal: never, show: never, hide: never }

/** Values of an entity that are revealed. */
export const RevealContext = createContext(nothing)

/** Returns the value of a row while it is revealed, and the acts on it. */
export function useRevealed({ id }: DraftRow) {
  const { revealed, ...acts } = use(RevealContext)
  return { revealed: revealed?.rowId === id ? revealed : undefined, ...acts }
}

/**
 * Shows one sensitive value at a time across all entities of the page, for a minute. Hides it when the page is left,
 * becomes hidden, or its session locks.
 */
export function useShown<Asked>() {
  const [revealed, setRevealed] = useState<Revealed>()
  const [asking, setAsking] = useState<Asked>()
  const session = useSession()
  const held = useRef<Revealed>(undefined)

  const hide = useCallback(() => {
    if (held.current) held.current.value = undefined
    held.current = undefined
    setRevealed(undefined)
    setAsking(undefined)
  }, [])
  useEffect(
    () => () => {
      if (hideCurrent === hide) hideCurrent = undefined
      if (held.current) held.current.value = undefined
    },
    [hide],
  )
  const show = useCallback(
    (rowId: string, { type, value }: Pick<Property, 'type' | 'value'>) => {
      hideCurrent?.()
      hideCurrent = hide
      // The answer may come after the lock.
      if (session.state().status === 'locked') return
      held.current = { rowId, type, value, untilMs: Date.now() + shownMs, leftMs: timeLeft(shownMs) }
      setRevealed(held.current)
    },
    [session, hide],
  )
  const ask = useCallback(
    (asked: Asked) => {
      hideCurrent?.()
      hideCurrent = hide
      setAsking(() => asked)
    },
    [hide],
  )
  useForgotten(revealed, hide)
  return { revealed, asking, ask, show, hide }
}

/** A sensitive value that this person has just saved, for as long as it can be shown again without being revealed. */
export interface SavedValue extends Pick<Property, 'type' | 'value'> {
  readonly leftMs: () => number
}

/** Keeps the sensitive value that was saved last, for a minute: the write is recorded, and reading it again tells nothing. */
export function useSavedValue() {
  const [saved, setSaved] = useState<SavedValue>()
  const forget = useCallback(() => setSaved(undefined), [])
  useForgotten(saved, forget)
  const keep = useCallback(
    ({ type, value }: Pick<Property, 'type' | 'value'>) =>
      setSaved({ type, value, leftMs: timeLeft(shownMs) }),
    [],
  )
  return { saved, keep }
}

/** Forgets a value when its time is over, the page is left or hidden, or its session locks. */
function useForgotten(held: Pick<SavedValue, 'leftMs'> | undefined, forget: () => void) {
  const session = useSession()
  useEffect(() => {
    if (!held) return
    const unsubscribe = session.subscribe(() => {
      if (session.state().status === 'locked') forget()
    })
    const stopLooking = watchLooks(() => {
      if (held.leftMs() <= 0) forget()
    })
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') forget()
    }
    document.addEventListener('visibilitychange', onVisibility)
    // A page restored from the back-forward cache would still show the value.
    addEventListener('pagehide', forget)
    return () => {
      unsubscribe()
      stopLooking()
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('pagehide', forget)
    }
  }, [held, forget, session])
}
