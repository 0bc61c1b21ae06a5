import { Autocomplete, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'

import { reasonText } from '../../messages/index.ts'
import { isComposing } from '../../ui/use-pointed.ts'
import { type Reason } from './reason.ts'
import { isFull } from '../../api/index.ts'

interface ReasonFieldProps {
  readonly reason: Reason
  /** Enter, but where it takes an earlier reason. Absent: as in any field of the form around it. */
  readonly onEnter?: () => void
}

/** Why a change is made, for services that keep it. In a dialog it has the focus where there must be one. */
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
      // A form that the dialog belongs to would take Ctrl or ⌘ with Enter for a second save.
      event.stopPropagation()
      if (event.currentTarget.hasAttribute('aria-activedescendant')) return
      event.preventDefault()
      if (!event.repeat) onEnter()
    },
  }
  if (earlier.length === 0)
    return <TextInput {...props} onChange={(event) => set(event.currentTarget.value)} />
  // Above it, where no button is.
  return <Autocomplete {...props} data={[...earlier]} onChange={set} comboboxProps={{ position: 'top' }} />
}
