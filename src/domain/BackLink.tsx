import { IconChevronLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from 'react-router'

import classes from './BackLink.module.css'

/** Link to the parent page, above a page's title. */
export function BackLink({ children, ...to }: LinkProps) {
  return (
    <Link {...to} className={classes.back}>
      <IconChevronLeft size={14} aria-hidden />
      {children}
    </Link>
  )
}
