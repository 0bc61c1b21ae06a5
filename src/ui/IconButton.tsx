// UnstyledButton's sheet would undo ActionIcon's if it came after it, and the build puts these before the page's own.

import { ActionIcon } from '@mantine/core'
import type { ComponentProps } from 'react'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'color' | 'disabled' | 'style'> {
  readonly 'aria-label': string
  /** 24, 28 or 32 pixels: within a field, whose height it may not change; in a row or a head; beside controls. */
  readonly size?: 'small' | 'large'
  readonly bordered?: boolean
}

const pixels = { small: 24, medium: 28, large: 32 }

/** Mantine's ActionIcon, which must say what it does and has one of three sizes. */
export function IconButton({ size, bordered = false, ...props }: IconButtonProps) {
  return (
    <ActionIcon
      variant={bordered ? 'default' : 'subtle'}
      color="gray"
      {...props}
      size={pixels[size ?? 'medium']}
    />
  )
}
