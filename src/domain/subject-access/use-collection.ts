import { use, useCallback, useEffect, useRef, useState } from 'react'

import { usePerson } from '../../auth/use-session.ts'
import { instantMs } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { Collection, type Progress, StepFailure } from './collect.ts'
import type { SubjectAccess } from './document.ts'

export type CollectionState =
  | { readonly status: 'idle' }
  | { readonly status: 'running' | 'stopped'; readonly progress: Progress }
  | { readonly status: 'failed'; readonly failure: StepFailure }
  | { readonly status: 'done'; readonly document: SubjectAccess }

const idle: CollectionState = { status: 'idle' }

/**
 * Collects everything about one person. It is in this component's state and nowhere else: gone with the page, also with
 * one that the browser keeps to go back to.
 */
export function useCollection(userId: string) {
  const [state, setState] = useState<CollectionState>(idle)
  const collection = useRef<Collection>(undefined)
  const running = useRef<AbortController>(undefined)
  const { name } = usePerson()
  const { service } = use(ZonesContext)

  const forget = useCallback(() => {
    running.current?.abort()
    collection.current = undefined
    setState(idle)
  }, [])
  useEffect(() => {
    addEventListener('pagehide', forget)
    return () => {
      removeEventListener('pagehide', forget)
      running.current?.abort()
    }
  }, [forget])

  /** `undefined`: stopped, or failed; the state says why. */
  const goOn = async (): Promise<SubjectAccess | undefined> => {
    const current = collection.current
    if (!current) return undefined
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    const tell = (progress: Progress) => {
      if (!abort.signal.aborted) setState({ status: 'running', progress })
    }
    try {
      const document = await current.run(abort.signal, tell)
      setState({ status: 'done', document })
      return document
    } catch (error) {
      if (abort.signal.aborted) return undefined
      if (!(error instanceof StepFailure)) throw error
      setState({ status: 'failed', failure: error })
      return undefined
    }
  }

  return {
    state,
    goOn,
    /** With a reason, sensitive values are asked for. */
    start: (reason?: string) => {
      collection.current = new Collection({
        userId,
        madeBy: name,
        reason,
        instantOf: (zoneless) => instantMs(zoneless, service),
      })
      return goOn()
    },
    stop: () => {
      running.current?.abort()
      setState((state) => (state.status === 'running' ? { ...state, status: 'stopped' } : state))
    },
    forget,
  }
}
