import { Button, Group } from '@mantine/core'

import type { Part } from '#contract/reading/parts.ts'
import { readingText } from '../../messages/index.ts'
import { sameDraft } from './draft.ts'
import { readings } from './settling.ts'
import type { TypedInputsProps } from './TypedInputs.tsx'
import { writePart } from './written-moments.ts'

interface ReadingsProps extends Pick<TypedInputsProps, 'type' | 'draft' | 'label' | 'onChange'> {
  readonly parts: readonly Part[]
}

/** Offers the possible meanings of a text that does not fit its type. Pressing one applies it. */
export function Readings({ type, draft, parts, label, onChange }: ReadingsProps) {
  const offered = parts.flatMap((part) =>
    readings(type, draft, part)
      .filter((read) => !sameDraft(read, draft))
      .map((read) => ({
        part,
        read,
        shown: [writePart(type, part, read[part] ?? ''), part === 'text' && (read.currency ?? read.entity)],
      })),
  )
  if (offered.length === 0) return null
  return (
    <Group component="p" gap="4px 6px" pt={4} c="dimmed" fz="xs">
      {readingText.meant}
      {offered.map(({ part, read, shown }) => {
        const text = shown.filter(Boolean).join(' ')
        return (
          <Button
            key={text}
            size="compact-xs"
            variant="default"
            aria-label={readingText.take({ reading: text, label })}
            onClick={({ currentTarget }) => {
              onChange(read)
              // The pressed button disappears along with the error, so the focus moves to the input.
              const inputs = currentTarget.closest('[data-notes]')?.parentElement
              const input =
                inputs?.querySelector<HTMLElement>(`[name="${part}"]`) ?? inputs?.querySelector('input')
              input?.focus()
            }}
          >
            {text}
          </Button>
        )
      })}
    </Group>
  )
}
