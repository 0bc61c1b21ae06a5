import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

interface AddButtonProps extends Omit<ComponentProps<'button'>, 'color' | 'disabled' | 'style'> {
  readonly label?: string | undefined
}

export function AddButton({ label, ...rest }: AddButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={label}
      leftSection={<IconPlus size={13} aria-hidden />}
      style={{ alignSelf: 'flex-start' }}
      {...rest}
    />
  )
}
