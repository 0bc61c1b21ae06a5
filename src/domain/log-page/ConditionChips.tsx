import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { logPageText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import classes from './ConditionChips.module.css'

export interface LogCondition {
  readonly label: string
  /** Tooltip of a condition on time: the moment with seconds and zone. */
  readonly exact?: string | undefined
  readonly onRemove: () => void
}

export interface ConditionChipsProps {
  readonly conditions: readonly LogCondition[]
  readonly onClear: () => void
}

/** Active filters of a log as chips, each with a button that removes it. */
export function ConditionChips({ conditions, onClear }: ConditionChipsProps) {
  if (conditions.length === 0) return null
  return (
    <Group gap="xs" pb="sm">
      <ul aria-label={logPageText.filter.list} className={classes.list}>
        {conditions.map(({ label, exact, onRemove }) => (
          <li key={label} className={classes.chip}>
            <span {...hint(exact)}>{label}</span>
            <IconButton
              size="small"
              aria-label={logPageText.filter.remove({ condition: label })}
              onClick={onRemove}
            >
              <IconX size={12} />
            </IconButton>
          </li>
        ))}
      </ul>
      {conditions.length > 1 && (
        <Button variant="subtle" size="compact-xs" onClick={onClear}>
          {logPageText.filter.reset}
        </Button>
      )}
    </Group>
  )
}
