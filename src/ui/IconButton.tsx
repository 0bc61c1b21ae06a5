// The order of style sheets matters: UnstyledButton's would override ActionIcon's if it came later. The build places
// both before the page's own.

import { ActionIcon } from '@mantine/core'
import type { ComponentProps } from 'react'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'color' | 'disabled' | 'style'> {
  readonly 'aria-label': string
  /**
   * Size of the button: 24 pixels (small) inside a field, whose height must not change; 28 in a row or heading; 32
   * (large) beside controls.
   */
  readonly size?: 'small' | 'large'
  readonly bordered?: boolean
}

const pixels = { small: 24, medium: 28, large: 32 }

/** Mantine's ActionIcon with a required description and three sizes. */
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
