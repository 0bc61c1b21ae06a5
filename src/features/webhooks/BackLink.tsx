import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from 'react-router'

import classes from './webhook.module.css'

/** The way back, above a title. */
export function BackLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <Link to={to} className={classes.back ?? ''}>
      <IconChevronLeft size={14} aria-hidden />
      {children}
    </Link>
  )
}
