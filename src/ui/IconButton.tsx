import type { ComponentProps } from 'react'

import classes from './IconButton.module.css'

export interface IconButtonProps extends ComponentProps<'button'> {
  readonly 'aria-label': string
  /** 22, 28 or 32 pixels: within a field, whose height it may not change; in a row or a head; beside controls. */
  readonly size?: 'small' | 'large'
  readonly bordered?: boolean
}

/**
 * An icon to press. Mantine's ActionIcon works out its theme, colours and sizes anew each time, which is a third of what
 * a page of properties takes, and the first page would download it.
 */
export function IconButton({ className = '', size, bordered, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      {...props}
      data-size={size}
      data-bordered={bordered}
      className={`${classes.root} ${className}`}
    />
  )
}
