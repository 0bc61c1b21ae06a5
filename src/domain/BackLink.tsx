import { IconChevronLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from 'react-router'

import classes from './BackLink.module.css'

/** Above the title of a page: what the page is a part of. */
export function BackLink({ children, ...to }: LinkProps) {
  return (
    <Link {...to} className={classes.back}>
      <IconChevronLeft size={14} aria-hidden />
      {children}
    </Link>
  )
}
