// Layout components of the export page.

import { Fieldset, Group, Stack, Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface ChildrenProps {
  readonly children: ReactNode
}

export function Note({ children, ...rest }: ChildrenProps & TextProps) {
  return (
    <Text c="dimmed" size="sm" textWrap="pretty" {...rest}>
      {children}
    </Text>
  )
}

export function Buttons({ children }: ChildrenProps) {
  return (
    <Group justify="flex-end" gap="xs" pt={8} pb={24}>
      {children}
    </Group>
  )
}

export interface ChoicesProps extends ChildrenProps {
  readonly label: string
  readonly error?: string | undefined
}

export function Choices({ label, error, children }: ChoicesProps) {
  return (
    <Fieldset
      variant="unstyled"
      miw={0}
      legend={
        <Text component="span" size="sm" fw={500}>
          {label}
        </Text>
      }
    >
      <Stack gap="xs">{children}</Stack>
      {error !== undefined && (
        <Text role="alert" c="var(--mantine-color-error)" size="sm" mt="xs">
          {error}
        </Text>
      )}
    </Fieldset>
  )
}

/** Indented follow-up questions to the choice above. */
export function Nested({ children }: ChildrenProps) {
  return (
    <Stack gap={12} ms={8} ps={20} style={{ borderInlineStart: '1px solid var(--ds-border)' }}>
      {children}
    </Stack>
  )
}
