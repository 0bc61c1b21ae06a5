import { ActionIcon } from '@mantine/core'
import type { ComponentProps } from 'react'

import { hint } from './Hint.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'color' | 'disabled' | 'style'> {
  readonly 'aria-label': string
  /** 24 pixels, 28 (default), or the height of a control, 32. */
  readonly size?: 'small' | 'large'
  readonly bordered?: boolean
  /** Whether a hint shows the label. */
  readonly hinted?: boolean
}

const pixels = { small: 24, medium: 28, large: 32 }

/** Mantine's ActionIcon with a required `aria-label` and three sizes. */
export function IconButton({ size, bordered = false, hinted = false, ...props }: IconButtonProps) {
  return (
    <ActionIcon
      variant={bordered ? 'default' : 'subtle'}
      color="gray"
      {...(hinted && hint(props['aria-label']))}
      {...props}
      size={pixels[size ?? 'medium']}
    />
  )
}
