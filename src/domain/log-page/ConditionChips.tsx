import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { logPageText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

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

export function ConditionChips({ conditions, onClear }: ConditionChipsProps) {
  if (conditions.length === 0) return null
  return (
    <Group gap="xs" pb="sm">
      <Group component="ul" aria-label={logPageText.filter.list} gap="xs" m={0} p={0}>
        {conditions.map(({ label, exact, onRemove }) => (
          <Group
            key={label}
            component="li"
            gap={2}
            maw="100%"
            mih={26}
            px="8px 2px"
            bg="var(--ds-selected)"
            bdrs="md"
            fz="xs"
            fw={500}
          >
            <span {...hint(exact)}>{label}</span>
            <IconButton
              size="small"
              aria-label={logPageText.filter.remove({ condition: label })}
              onClick={onRemove}
            >
              <IconX size={12} />
            </IconButton>
          </Group>
        ))}
      </Group>
      {conditions.length > 1 && (
        <Button variant="subtle" size="compact-xs" onClick={onClear}>
          {logPageText.filter.reset}
        </Button>
      )}
    </Group>
  )
}
