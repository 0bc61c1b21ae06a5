import { Box, Button, Group, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Link, useLocation } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import type { ConditionFormProps } from '../../domain/filter-builder/ConditionForm.tsx'
import { conditionInBrief } from '../../domain/filters/sentence.ts'
import { links } from '../../domain/links.ts'
import type { ListCondition } from '../../domain/user-list/list-state.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { listFilterText, userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { FormPopover, type FormPopoverProps } from '../../ui/FormPopover.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

// Loaded on demand: the form includes the filter builder, which most visits to the list do not need.
const Form = lazyPart(
  async () => (await import('../../domain/filter-builder/ConditionForm.tsx')).ConditionForm,
)

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

interface ListConditionsProps {
  readonly conditions: readonly ListCondition[]
  /** Search text, which applies in addition to the conditions. */
  readonly q: string
  readonly onChange: (conditions: readonly ListCondition[]) => void
}

export function ListConditions({ conditions, q, onChange }: ListConditionsProps) {
  const denied = useDenied('segments:write') ?? (q === '' ? undefined : listFilterText.saveWithoutText)
  const { key } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  const clear = () => clearConditions(() => onChange([]))
  const remove = (at: number) => {
    const left = conditions.toSpliced(at, 1)
    if (left.length === 0) return clear()
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
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
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
            <Text span inherit truncate>
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

interface ConditionPopoverProps extends Omit<ConditionFormProps, 'onClose'> {
  readonly face: FormPopoverProps['face']
}

function ConditionPopover({ face, ...condition }: ConditionPopoverProps) {
  return (
    <FormPopover face={face} widthPx={560} staysOpen code={Form}>
      {(close) => <Form {...condition} onClose={close} />}
    </FormPopover>
  )
}
