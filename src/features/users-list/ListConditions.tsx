import { Box, Button, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Link, useLocation } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { ConditionPopover } from '../../domain/filter-builder/ConditionPopover.tsx'
import { conditionInBrief } from '../../domain/filters/sentence.ts'
import { links } from '../../domain/links.ts'
import type { ListCondition } from '../../domain/user-list/list-state.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { listFilterText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'

interface ListConditionsProps {
  readonly conditions: readonly ListCondition[]
  /** Search text, which applies in addition to the conditions. */
  readonly q: string
  readonly onChange: (conditions: readonly ListCondition[]) => void
  readonly onClear: () => void
}

export function ListConditions({ conditions, q, onChange, onClear }: ListConditionsProps) {
  const denied = useDenied('segments:write') ?? (q === '' ? undefined : listFilterText.saveWithoutText)
  const { key } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  const remove = (at: number) => {
    const left = conditions.toSpliced(at, 1)
    if (left.length === 0) return onClear()
    flushSync(() => onChange(left))
    const chip = list.current?.children[Math.min(at, left.length - 1)]
    chip?.querySelector<HTMLElement>('[data-remove]')?.focus()
  }
  return (
    <Group gap="6px 8px" pb={12}>
      <Box
        component="ul"
        ref={list}
        display="contents"
        style={{ listStyle: 'none' }}
        aria-label={listFilterText.all}
      >
        {conditions.map((condition, at) => (
          <Chip
            key={condition.id}
            condition={condition}
            onChange={(next) => onChange(conditions.with(at, next))}
            onRemove={() => remove(at)}
          />
        ))}
      </Box>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
        {listFilterText.clear}
      </Button>
      <DisabledReason reason={denied}>
        <Button
          size="compact-sm"
          variant="subtle"
          component={Link}
          to={links.newSegment()}
          state={{ listEntry: key }}
        >
          {listFilterText.save}
        </Button>
      </DisabledReason>
    </Group>
  )
}

interface ChipProps {
  readonly condition: ListCondition
  readonly onChange: (condition: ListCondition) => void
  readonly onRemove: () => void
}

function Chip({ condition, onChange, onRemove }: ChipProps) {
  const sentence = conditionInBrief(condition.filter)
  const look = {
    size: 'compact-sm',
    radius: 'xl',
    variant: 'light',
    color: condition.isSensitive ? 'violet' : 'indigo',
  } as const
  return (
    <Group component="li" gap={0} wrap="nowrap" maw="100%">
      <ConditionPopover
        condition={condition}
        onApply={onChange}
        face={
          <Button
            {...look}
            miw={0}
            fw={400}
            leftSection={condition.isSensitive && <SensitiveMark />}
            style={{ borderStartEndRadius: 0, borderEndEndRadius: 0 }}
            aria-label={listFilterText.edit({ condition: sentence })}
          >
            <Text span inherit lh={1.5} truncate>
              {sentence}
            </Text>
          </Button>
        }
      />
      <Button
        {...look}
        data-remove
        flex="none"
        style={{ borderStartStartRadius: 0, borderEndStartRadius: 0 }}
        aria-label={listFilterText.remove({ condition: sentence })}
        {...hint(listFilterText.remove({ condition: sentence }))}
        onClick={onRemove}
      >
        <IconX size={13} stroke={2} aria-hidden />
      </Button>
    </Group>
  )
}
