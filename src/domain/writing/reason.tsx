import { Autocomplete, TextInput } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { maxReason } from '#contract/index.ts'
import { ApiError, isFull, isReasonRequired, isRevealOnly } from '../../api/index.ts'
import { reasonText } from '../../messages/index.ts'
import { isComposing } from '../../ui/use-pointed.ts'

/** Reason for a change while it is being typed. */
export interface Reason {
  readonly text: string
  readonly set: (text: string) => void
  /** Reason to send; `undefined` if none is given or the service does not record reasons. */
  readonly given: string | undefined
  readonly isRequired: boolean
  /** Whether a reason is required because the change makes a masked value readable. */
  readonly isToOpen: boolean
  /** Error to show once the person has tried to save. */
  readonly problem: string | undefined
  /** Latest earlier reasons of this session, newest first. */
  readonly earlier: readonly string[]
  readonly field: RefObject<HTMLInputElement | null>
  /** Returns whether the change may be sent with this reason. If not, focuses the field and shows the error. */
  readonly isReady: () => boolean
  /** Requires a reason from now on, because the service refused the change without one, and focuses the field. */
  readonly demand: () => void
}

/** Reasons may contain names, so the earlier ones are kept in this tab's memory and dropped with the session. */
const mostEarlier = 3
const earlierReasons = new WeakMap<QueryClient, readonly string[]>()

/** @param opens Whether the change makes a masked value readable, which a service may allow only with a reason. */
export function useReason(typedBefore = '', opens = false): Reason {
  const client = useQueryClient()
  const [text, set] = useState(typedBefore)
  const [isTried, setTried] = useState(false)
  const [isDemanded, setDemanded] = useState(false)
  const [earlier] = useState(() => earlierReasons.get(client) ?? [])
  const field = useRef<HTMLInputElement>(null)
  const isRequired = isReasonRequired() || isDemanded || (opens && isRevealOnly())
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
    isToOpen: isRequired && opens,
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
    demand: () => {
      flushSync(() => setDemanded(true))
      field.current?.focus()
    },
  }
}

/** Whether the service refused a change because it lacks a reason. */
export function isReasonMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'reason_required'
}

/** Returns the reason that was given last, where each change needs one, so that it need not be typed for each value. */
export function useLastReason(): string {
  const client = useQueryClient()
  return (isReasonRequired() && earlierReasons.get(client)?.[0]) || ''
}

interface ReasonFieldProps {
  readonly reason: Reason
  /** Called on Enter, unless it picks an earlier reason. By default, Enter acts as in any field of a form. */
  readonly onEnter?: () => void
}

/** Field for services that record reasons. In a dialog, it gets the focus if a reason is required. */
export function ReasonField({ reason, onEnter }: ReasonFieldProps) {
  const { text, set, isRequired, isToOpen, problem, earlier, field } = reason
  if (!isFull() && !isRequired) return null
  const props = {
    ref: field,
    label: isRequired ? reasonText.label : reasonText.optional,
    description: isToOpen ? reasonText.toOpen : reasonText.hint,
    error: problem,
    value: text,
    required: isRequired,
    'data-autofocus': isRequired || undefined,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (!onEnter || event.key !== 'Enter' || isComposing(event)) return
      // If the dialog belongs to a form, Ctrl/⌘+Enter would bubble up to it and trigger a second save.
      event.stopPropagation()
      if (event.currentTarget.hasAttribute('aria-activedescendant')) return
      event.preventDefault()
      if (!event.repeat) onEnter()
    },
  }
  if (earlier.length === 0)
    return <TextInput {...props} onChange={(event) => set(event.currentTarget.value)} />
  // The list opens above the field, so that it does not cover the buttons.
  return <Autocomplete {...props} data={[...earlier]} onChange={set} comboboxProps={{ position: 'top' }} />
}
