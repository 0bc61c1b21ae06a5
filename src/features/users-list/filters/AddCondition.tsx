import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'

import type { ListCondition } from '../../../domain/user-list/entries.ts'
import { userText } from '../../../messages/index.ts'
import { LazyMenu } from '../../../ui/LazyMenu.tsx'

export const loadConditionForm = async () => (await import('./ConditionForm.tsx')).ConditionForm

/** Where the focus goes when the last condition is gone, and what was pressed with it. */
export function focusAddCondition(): void {
  document.querySelector<HTMLElement>('[data-add-condition]')?.focus()
}

/** The button that a condition is added with: all that writes one comes when it is reached for. */
export function AddCondition({ onAdd }: { readonly onAdd: (condition: ListCondition) => void }) {
  return (
    <LazyMenu
      load={loadConditionForm}
      given={{ onApply: onAdd }}
      face={
        <Button
          data-add-condition
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          aria-haspopup="dialog"
        >
          {userText.addCondition}
        </Button>
      }
    />
  )
}
