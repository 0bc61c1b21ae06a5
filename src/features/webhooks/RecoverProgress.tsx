import { Button, Group, Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { subscriptionQuery } from './queries.ts'
import { webhookText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { healthOf } from '../../domain/webhooks/health.ts'

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
  return (
    <Stack gap="xs" maw={640}>
      <h2 tabIndex={-1} ref={focus}>
        {text.queued(events)}
      </h2>
      <progress aria-label={text.title} style={{ width: '100%' }} value={done} max={Math.max(1, events)} />
      <p>{text.progress(done, events)}</p>
      <Text component="output" size="sm" c="dimmed" mih="1.5em">
        {waiting === 0 ? (
          <StateMark tone="success">{text.done}</StateMark>
        ) : !enabled ? (
          text.stopped
        ) : healthOf(subscription) === 'failing' ? (
          text.stuck
        ) : (
          text.goesOn
        )}
      </Text>
      <Group justify="flex-end" gap="xs" pt="md" style={{ borderTop: '1px solid var(--ds-border)' }}>
        <Button variant="default" onClick={onAgain}>
          {text.again}
        </Button>
        <Button component={Link} to={links.webhook(id)}>
          {text.show}
        </Button>
      </Group>
    </Stack>
  )
}

/** The form, with the button that was pressed, is gone. */
const focus = (heading: HTMLElement | null) => heading?.focus()
