import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { logPageText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
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

export function ConditionChips({ conditions, onClear }: ConditionChipsProps) {
  if (conditions.length === 0) return null
  return (
    <Group gap="xs" pb="sm">
      <Group component="ul" aria-label={logPageText.filter.list} gap="xs" m={0} p={0}>
        {conditions.map(({ label, exact, onRemove }) => (
          <Group key={label} component="li" gap={0} wrap="nowrap" maw="100%">
            <span className={classes.label} {...hint(exact)}>
              {label}
            </span>
            <Button
              size="compact-sm"
              radius="xl"
              variant="light"
              flex="none"
              style={{ borderStartStartRadius: 0, borderEndStartRadius: 0 }}
              aria-label={logPageText.filter.remove({ condition: label })}
              onClick={onRemove}
            >
              <IconX size={13} stroke={2} aria-hidden />
            </Button>
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
