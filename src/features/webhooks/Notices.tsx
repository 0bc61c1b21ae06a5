import { Alert, type AlertProps, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { RecentAttempt, Subscription } from '#contract/index.ts'
import { AttemptOutcome } from '../../domain/deliveries/AttemptOutcome.tsx'
import { links } from '../../domain/links.ts'
import { healthOf } from '../../domain/webhooks/health.ts'
import { describeStop } from '../../domain/webhooks/names.ts'
import { sharedText, webhookText } from '../../messages/index.ts'
import { duration } from '../../ui/duration.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { missedQuery, type TimeSpan } from './queries.ts'

function SubscriptionNotice({ children, actions, ...props }: AlertProps & { readonly actions?: ReactNode }) {
  return (
    <Alert role="note" p="sm" mb="md" {...props}>
      <Group justify="space-between" align="start" gap="xs">
        <Stack gap={2} flex="1 1 240px" maw="75ch" align="start">
          {children}
        </Stack>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
    </Alert>
  )
}

function Since({ time }: { readonly time: string | undefined }) {
  const since = <Timestamp value={time} mode="minute" focusable />
  return <p>{webhookText.notices.since.withElements({ time: since })}</p>
}

export function StateNotice({ subscription }: { readonly subscription: Subscription }) {
  const { notices } = webhookText
  const { disabled, waiting, pausedSince } = subscription
  const alarm = <IconAlertTriangle aria-hidden />
  switch (healthOf(subscription)) {
    case 'stopped': {
      const { title, body } = describeStop(disabled?.reason ?? '')
      return (
        <SubscriptionNotice color="red" icon={alarm} title={title}>
          <p>{body}</p>
          <Since time={disabled?.since} />
        </SubscriptionNotice>
      )
    }
    case 'failing':
      return (
        <SubscriptionNotice color="yellow" icon={alarm} title={notices.failing.title}>
          {waiting > 0 ? notices.failing.body : notices.failing.nothingWaits}
        </SubscriptionNotice>
      )
    case 'paused':
      return (
        <SubscriptionNotice color="gray" icon={<IconPlayerPause aria-hidden />} title={notices.paused.title}>
          <p>{notices.paused.body}</p>
          {pausedSince != null && <Since time={pausedSince} />}
        </SubscriptionNotice>
      )
    case 'working':
    case 'unused':
      return null
  }
}

export interface MissedNoticeProps {
  readonly id: string
  readonly span: TimeSpan
  readonly onClose: () => void
}

/** Notice after a webhook was resumed: the events missed in the meantime, if any. */
export function MissedNotice({ id, span, onClose }: MissedNoticeProps) {
  const { data } = useQuery(missedQuery(id, span))
  const { resume } = webhookText
  if (!data || data.events === 0) return null
  return (
    <SubscriptionNotice
      color="yellow"
      title={resume.missed({ count: data.events })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {resume.later}
          </Button>
          <Button component={Link} to={links.recoverWebhook(id, { ...span })}>
            {resume.recover}
          </Button>
        </>
      }
    >
      {resume.missedBody}
    </SubscriptionNotice>
  )
}

export interface SubscriptionTest {
  readonly event: string
  readonly sentMs: number
}

export interface TestNoticeProps {
  readonly test: SubscriptionTest
  /** First attempt of the test; undefined until it is made. */
  readonly attempt: RecentAttempt | undefined
  readonly isSlow: boolean
  readonly onClose: () => void
}

/** Progress and result of a test. */
export function TestNotice({ test, attempt, isSlow, onClose }: TestNoticeProps) {
  const { testing } = webhookText
  const failed = attempt?.error != null
  const outcome = <AttemptOutcome status={attempt?.status} error={attempt?.error} />
  return (
    <SubscriptionNotice
      color={failed ? 'red' : attempt ? 'green' : 'gray'}
      actions={
        <IconButton aria-label={sharedText.dismiss} onClick={onClose}>
          <IconX size={14} />
        </IconButton>
      }
    >
      {attempt ? (
        <>
          <Text size="sm" fw={600}>
            {failed ? testing.failed : testing.arrived}
          </Text>
          <Group gap={4} align="baseline">
            {attempt.ms == null
              ? outcome
              : testing.after.withElements({ outcome, duration: duration(attempt.ms) })}
          </Group>
          {failed && <p>{testing.once}</p>}
        </>
      ) : (
        <p>{isSlow ? testing.slow : testing.sending}</p>
      )}
      {/* Underlined, because the link's colour alone does not stand out on this background. */}
      <Link to={links.event(test.event)} style={{ textDecoration: 'underline' }}>
        {testing.event}
      </Link>
    </SubscriptionNotice>
  )
}
