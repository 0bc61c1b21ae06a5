import { Autocomplete, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'

import { reasonText } from '../../messages/index.ts'
import { isComposing } from '../../ui/use-pointed.ts'
import { type Reason } from './reason.ts'
import { isFull } from '../../api/index.ts'

interface ReasonFieldProps {
  readonly reason: Reason
  /** Called on Enter, unless it picks an earlier reason. By default, Enter acts as in any field of a form. */
  readonly onEnter?: () => void
}

/** Field for services that record reasons. In a dialog, it gets the focus if a reason is required. */
export function ReasonField({ reason, onEnter }: ReasonFieldProps) {
  const { text, set, isRequired, problem, earlier, field } = reason
  if (!isFull() && !isRequired) return null
  const props = {
    ref: field,
    label: isRequired ? reasonText.label : reasonText.optional,
    description: reasonText.hint,
    error: problem,
    value: text,
    required: isRequired,
    'data-autofocus': isRequired || undefined,
    autoComplete: 'off',
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
