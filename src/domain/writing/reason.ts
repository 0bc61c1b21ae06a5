import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { maxReason } from '#contract/index.ts'

import { isReasonRequired } from '../../api/index.ts'
import { reasonText } from '../../messages/index.ts'

/** Why a change is made, as it is being typed. */
export interface Reason {
  readonly text: string
  readonly set: (text: string) => void
  /** Reason to send; `undefined` where none is given, or the service keeps none. */
  readonly given: string | undefined
  readonly isRequired: boolean
  /** Shown once somebody tried to save. */
  readonly problem: string | undefined
  /** The last ones of this session before this one, newest first. */
  readonly earlier: readonly string[]
  readonly field: RefObject<HTMLInputElement | null>
  /** Whether the change may be sent with it; else the field has the focus, and says what is wrong. */
  readonly isReady: () => boolean
}

/** People write names into reasons: the last few stay in the memory of this tab, and go with the session. */
const mostEarlier = 3
const earlierReasons = new WeakMap<QueryClient, readonly string[]>()

export function useReason(typedBefore = ''): Reason {
  const client = useQueryClient()
  const [text, set] = useState(typedBefore)
  const [isTried, setTried] = useState(false)
  const [earlier] = useState(() => earlierReasons.get(client) ?? [])
  const field = useRef<HTMLInputElement>(null)
  const isRequired = isReasonRequired()
  const reason = text.trim()
  const problem =
    reason.length > maxReason
      ? reasonText.tooLong
      : isRequired && reason === ''
        ? reasonText.missing
        : undefined
  return {
    text,
    set,
    given: reason !== '' ? reason : undefined,
    isRequired,
    problem: isTried ? problem : undefined,
    earlier,
    field,
    isReady: () => {
      flushSync(() => setTried(true))
      if (problem !== undefined) field.current?.focus()
      else if (reason !== '')
        earlierReasons.set(
          client,
          [...new Set([reason, ...(earlierReasons.get(client) ?? [])])].slice(0, mostEarlier),
        )
      return problem === undefined
    },
  }
}
