import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export interface EmptyStateProps {
  readonly title: string
  /** One explanatory line: what this place will contain, or why nothing matches. */
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** Plain button that does something here, such as to clear a filter. */
  readonly button?: { readonly label: string; readonly onClick: () => void } | undefined
  readonly icon?: ReactNode
  /** Whether the message fills a page below its heading: it is then aligned with the heading instead of centred. */
  readonly underHeading?: boolean
}

/** Message in place of an empty list. The text must distinguish "nothing matches the filter" from "nothing yet". */
export function EmptyState({ title, children, action, button, icon, underHeading = false }: EmptyStateProps) {
  return (
    <Stack
      gap={4}
      {...(underHeading
        ? { align: 'flex-start', pb: 48 }
        : { align: 'center', px: 'md', py: 48, ta: 'center' as const })}
    >
      {icon !== undefined && (
        <Text component="span" c="var(--mantine-color-gray-5)" mb="xs" aria-hidden>
          {icon}
        </Text>
      )}
      <Text {...(underHeading ? { maw: '72ch' } : { fw: 600 })}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" maw="48ch" textWrap="pretty">
          {children}
        </Text>
      )}
      {(action ?? button) !== undefined && (
        <Text component="div" mt="sm">
          {action}
          {button && (
            <Button variant="default" onClick={button.onClick}>
              {button.label}
            </Button>
          )}
        </Text>
      )}
    </Stack>
  )
}
