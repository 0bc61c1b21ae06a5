import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { segmentText } from '../../messages/index.ts'
import classes from './BackToSegments.module.css'

export function BackToSegments() {
  return (
    <Link to={links.segments()} className={classes.back ?? ''}>
      <IconChevronLeft size={14} aria-hidden />
      {segmentText.title}
    </Link>
  )
}
