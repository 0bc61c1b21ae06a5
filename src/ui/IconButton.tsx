import type { ComponentProps } from 'react'

import classes from './IconButton.module.css'

export interface IconButtonProps extends ComponentProps<'button'> {
  readonly 'aria-label': string
  /** Within a field, whose height it may not change. */
  readonly small?: boolean
}

/**
 * An icon to press, as Mantine's ActionIcon looks here, for where there are hundreds: that one works out its theme,
 * colours and sizes anew each time.
 */
export function IconButton({ className = '', small, ...props }: IconButtonProps) {
  return <button type="button" {...props} data-small={small} className={`${classes.root} ${className}`} />
}
