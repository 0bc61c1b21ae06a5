import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { flushSync } from 'react-dom'

import type { ListCondition } from '../../../domain/user-list/list-state.ts'
import { userText } from '../../../messages/index.ts'
import { FormPopover, type FormPopoverProps } from '../../../ui/FormPopover.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { ConditionFormProps } from './ConditionForm.tsx'

// Loaded on demand: the form includes the filter builder, which most visits to the list do not need.
const Form = lazyPart(async () => (await import('./ConditionForm.tsx')).ConditionForm)

/** Clears the conditions, and focuses the button that adds one, because the pressed button is gone with the last. */
export function clearConditions(clear: () => void): void {
  flushSync(clear)
  document.querySelector<HTMLElement>('[data-add-condition]')?.focus()
}

export function AddCondition({ onAdd }: { readonly onAdd: (condition: ListCondition) => void }) {
  return (
    <ConditionPopover
      onApply={onAdd}
      face={
        <Button data-add-condition variant="default" leftSection={<IconPlus size={15} aria-hidden />}>
          {userText.addCondition}
        </Button>
      }
    />
  )
}

interface ConditionPopoverProps extends Omit<ConditionFormProps, 'onClose'> {
  readonly face: FormPopoverProps['face']
}

export function ConditionPopover({ face, ...condition }: ConditionPopoverProps) {
  return (
    <FormPopover face={face} widthPx={560} staysOpen code={Form}>
      {(close) => <Form {...condition} onClose={close} />}
    </FormPopover>
  )
}
