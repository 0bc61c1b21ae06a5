import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { eventsPerPage } from '#contract/index.ts'
import { links } from '../../app/links.ts'
import { events as text } from '../../messages/index.ts'
import type { EventWindow } from './queries.ts'
import classes from '../../ui/Pager.module.css'

/** Newest, Newer, "101–200 of 8,031", Older. */
export function EventsPager({ before, count }: EventWindow) {
  const position = count - before
  const newer = before + eventsPerPage
  const steps = {
    newest: position > 0 ? links.events() : undefined,
    newer: position > 0 ? links.events(newer >= count ? {} : { offset: String(newer) }) : undefined,
    older: before > eventsPerPage ? links.events({ offset: String(before - eventsPerPage) }) : undefined,
  }
  const step = (
    name: keyof typeof steps,
    icons: { readonly leftSection?: ReactNode; readonly rightSection?: ReactNode },
  ) => {
    const to = steps[name]
    return to === undefined ? (
      <Button variant="default" disabled {...icons}>
        {text.pager[name]}
      </Button>
    ) : (
      <Button variant="default" component={Link} to={to} {...icons}>
        {text.pager[name]}
      </Button>
    )
  }
  return (
    <nav aria-label={text.pager.label} className={classes.root}>
      {step('newest', { leftSection: <IconChevronsLeft size={14} /> })}
      {step('newer', { leftSection: <IconChevronLeft size={14} /> })}
      <span className={classes.range} aria-live="polite">
        {text.pager.range(position + 1, position + Math.min(eventsPerPage, before), count)}
      </span>
      {step('older', { rightSection: <IconChevronRight size={14} /> })}
    </nav>
  )
}
