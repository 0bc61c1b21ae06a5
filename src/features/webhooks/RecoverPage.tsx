import { Button, Group, Input, Stack, Text } from '@mantine/core'
import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'

import type { Subscription } from '#contract/index.ts'
import { ApiError, peek, q } from '../../api/index.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { MomentField, type MomentFieldProps } from '../../domain/values/moment-fields.tsx'
import { writeMoment } from '../../domain/values/written-moments.ts'
import { healthOf } from '../../domain/webhooks/health.ts'
import { subscriptionName } from '../../domain/webhooks/names.ts'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { sharedText, webhookText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { missedQuery, missedSince, recoverEvents, type TimeSpan } from './queries.ts'

const recoverText = webhookText.recover
const recoverFailures = { ...webhookText.failures, lost: recoverText.lost }
/** Format of an instant in the contract: with seconds and a zone. */
const instantFormat = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const exampleTime = writeMoment('DATETIME', '2024-03-01T09:30:00Z')
const countDelayMs = 300

/** Takes the seconds off a proposed beginning, which nobody wants to read. An earlier one misses nothing. */
const atWholeMinute = (time: string) => time.replace(/:\d\d(?:\.\d+)?Z$/, ':00Z')

/** Counts the events that a webhook has missed, sends them again, and follows them until they arrive. */
export function RecoverPage() {
  const { subscriptionId = '' } = useParams()
  return <Recover key={subscriptionId} id={subscriptionId} />
}

function Recover({ id }: { readonly id: string }) {
  const { data: subscription } = useSuspenseQuery(q('getSubscription', { params: { subscription_id: id } }))
  const recovery = useMutation(recoverEvents(id))
  return (
    <>
      <PageHeader
        above={<BackLink to={links.webhook(id)}>{subscriptionName(subscription)}</BackLink>}
        title={recoverText.title}
      />
      {recovery.data ? (
        <RecoverProgress id={id} events={recovery.data.events} onAgain={recovery.reset} />
      ) : (
        <RecoverForm subscription={subscription} recovery={recovery} />
      )}
    </>
  )
}

const attemptsOf = (id: string) => q('listRecentAttempts', { params: { subscription_id: id } })

interface RecoverFormProps {
  readonly subscription: Subscription
  readonly recovery: Pick<UseMutationResult<unknown, Error, TimeSpan>, 'error' | 'isPending' | 'mutate'>
}

function RecoverForm({ subscription, recovery: { error, isPending, mutate } }: RecoverFormProps) {
  const { id, enabled } = subscription
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const client = useQueryClient()
  const [typed, setTyped] = useState(() => {
    const params = new URLSearchParams(search)
    const since =
      params.get('since') ?? atWholeMinute(missedSince(subscription, peek(client, attemptsOf(id))))
    return { since, until: params.get('until') ?? '' }
  })
  const lock = useSubmitLock()
  const { problems, span } = readSpan(typed.since.trim(), typed.until.trim())
  const missed = useMissedCount(id, span)
  const reason = !enabled
    ? recoverText.disabled
    : !span
      ? recoverText.notCounted
      : missed.events === 0
        ? recoverText.nothing
        : undefined

  /** Stores the time span in the URL, so that it can be shared and survives Back after sending. */
  const saveSpan = () => {
    const address = span && links.recoverWebhook(id, span)
    if (address && address !== `${pathname}${search}`) void navigate(address, { replace: true })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (span && reason === undefined) lock((free) => mutate(span, { onSuccess: saveSpan, onError: free }))
      }}
    >
      <Stack maw={640}>
        <p>{recoverText.about}</p>
        <Group gap="12px 20px" align="start">
          {(['since', 'until'] as const).map((name) => (
            <Moment
              key={name}
              label={recoverText[name]}
              value={typed[name]}
              onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
              onBlur={saveSpan}
              problem={problems[name]}
              note={name === 'since' ? recoverText.zone : recoverText.untilHint}
            />
          ))}
        </Group>
        <Announced as="p" style={{ minHeight: '1.5em' }}>
          {missed.events === undefined
            ? span && !missed.error && recoverText.counting
            : missed.events === 0
              ? recoverText.none
              : recoverText.count({ count: missed.events })}
        </Announced>
        {missed.error instanceof ApiError && (
          <InlineFailure error={missed.error} title={recoverText.uncounted} own={webhookText.failures} />
        )}
        {error && <InlineFailure error={error} title={recoverText.failed} own={recoverFailures} />}
        {!enabled && <p className="ds-dimmed">{recoverText.disabled}</p>}
        <Group justify="flex-end" gap="xs" pt="md" style={{ borderTop: '1px solid var(--ds-border)' }}>
          <Button variant="default" component={Link} to={links.webhook(id)}>
            {sharedText.cancel}
          </Button>
          <DisabledReason reason={reason}>
            <Button type="submit" loading={isPending}>
              {missed.events ? recoverText.send({ count: missed.events }) : recoverText.sendUncounted}
            </Button>
          </DisabledReason>
        </Group>
      </Stack>
    </form>
  )
}

/** Counts the events of a time span that have not arrived. Debounced while typing. */
function useMissedCount(id: string, span: TimeSpan | undefined) {
  const spanKey = JSON.stringify(span ?? null)
  const isSettled = useDebouncedValue(spanKey, countDelayMs) === spanKey
  const { data, error, isFetching } = useQuery({
    ...missedQuery(id, span ?? { since: '' }),
    enabled: span !== undefined && isSettled,
  })
  return { events: isFetching ? undefined : data?.events, error }
}

interface MomentProps extends Omit<MomentFieldProps, 'kind'> {
  readonly problem: string | undefined
  readonly note: string
}

function Moment({ label, problem, note, ...field }: MomentProps) {
  return (
    <Input.Wrapper
      label={label}
      labelProps={{ 'aria-hidden': true }}
      error={problem}
      description={problem === undefined && note}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      flex="0 1 260px"
    >
      <MomentField kind="datetime" label={label} {...field} invalid={problem !== undefined} />
    </Input.Wrapper>
  )
}

/** Reads both ends of a time span; without a span if one of them has a problem. */
function readSpan(since: string, until: string) {
  const wrong = (value: string) =>
    instantFormat.test(value) && !Number.isNaN(Date.parse(value))
      ? undefined
      : recoverText.wrong({ example: exampleTime })
  const first = since === '' ? recoverText.missing : wrong(since)
  // Moments in the future are left to the service to reject, since its clock decides what is now.
  const isReversed = Date.parse(until) <= Date.parse(since)
  const last = until === '' ? undefined : (wrong(until) ?? (isReversed ? recoverText.reversed : undefined))
  const span = (first ?? last) === undefined ? { since, until: until || undefined } : undefined
  return { problems: { since: first, until: last }, span }
}

const progressPollMs = 1000

interface RecoverProgressProps {
  readonly id: string
  readonly events: number
  readonly onAgain: () => void
}

/** Shows how many of the events were sent. Newer waiting events count as unsent, so the number may be too low. */
function RecoverProgress({ id, events, onAgain }: RecoverProgressProps) {
  const { data: subscription } = useSuspenseQuery({
    ...q('getSubscription', { params: { subscription_id: id } }),
    refetchInterval: ({ state: { data } }) => data?.waiting !== 0 && progressPollMs,
  })
  const { waiting, enabled } = subscription
  const done = Math.max(0, events - waiting)
  return (
    <Stack gap="xs" maw={640}>
      <h2 tabIndex={-1} ref={focusHeading}>
        {recoverText.queued({ count: events })}
      </h2>
      <progress
        aria-label={recoverText.title}
        style={{ width: '100%' }}
        value={done}
        max={Math.max(1, events)}
      />
      <p>{recoverText.progress({ done, total: events })}</p>
      <Text component="output" size="sm" c="dimmed" mih="1.5em">
        {waiting === 0 ? (
          <StateMark tone="success">{recoverText.done}</StateMark>
        ) : !enabled ? (
          recoverText.stopped
        ) : healthOf(subscription) === 'failing' ? (
          recoverText.stuck
        ) : (
          recoverText.goesOn
        )}
      </Text>
      <Group justify="flex-end" gap="xs" pt="md" style={{ borderTop: '1px solid var(--ds-border)' }}>
        <Button variant="default" onClick={onAgain}>
          {recoverText.again}
        </Button>
        <Button component={Link} to={links.webhook(id)}>
          {recoverText.show}
        </Button>
      </Group>
    </Stack>
  )
}

/** Moves the focus to the heading, because the pressed button disappears with the form. */
const focusHeading = (heading: HTMLElement | null) => heading?.focus()
