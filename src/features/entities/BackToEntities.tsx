import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { entityText } from '../../messages/index.ts'
import classes from './EntitiesPage.module.css'

/** On narrow screens, where the open entity covers the list. */
export function BackToEntities({ userId }: { readonly userId: string }) {
  return (
    <Link to={links.user(userId)} className={classes.back ?? ''}>
      <IconChevronLeft size={14} aria-hidden />
      {entityText.back}
    </Link>
  )
}
