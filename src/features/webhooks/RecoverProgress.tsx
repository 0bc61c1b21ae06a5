import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { webhookText } from '../../messages/index.ts'
import { healthOf } from './health.ts'
import { subscriptionQuery } from './queries.ts'
import classes from './RecoverPage.module.css'

const text = webhookText.recover
const pollMs = 1000

export interface RecoverProgressProps {
  readonly id: string
  /** As many were put up to be sent. */
  readonly events: number
  readonly onAgain: () => void
}

/** How many of them are still waiting. What happens meanwhile waits as well, so it never says more than was done. */
export function RecoverProgress({ id, events, onAgain }: RecoverProgressProps) {
  const { data: subscription } = useSuspenseQuery({
    ...subscriptionQuery(id),
    refetchInterval: ({ state: { data } }) => data?.waiting !== 0 && pollMs,
  })
  const { waiting, enabled } = subscription
  const done = Math.max(0, events - waiting)
  const isDone = waiting === 0
  return (
    <div className={classes.progress}>
      <h2 tabIndex={-1} ref={focus}>
        {text.queued(events)}
      </h2>
      <progress aria-label={text.title} className={classes.bar} value={done} max={Math.max(1, events)} />
      <p className={classes.count}>{text.progress(done, events)}</p>
      <output className={classes.state}>
        {isDone ? (
          <span className={classes.done}>
            <IconCheck size={16} aria-hidden /> {text.done}
          </span>
        ) : !enabled ? (
          text.stopped
        ) : healthOf(subscription) === 'failing' ? (
          text.stuck
        ) : (
          text.goesOn
        )}
      </output>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onAgain}>
          {text.again}
        </Button>
        <Button component={Link} to={links.webhook(id)}>
          {text.show}
        </Button>
      </div>
    </div>
  )
}

/** The form, with the button that was pressed, is gone. */
const focus = (heading: HTMLElement | null) => heading?.focus()
