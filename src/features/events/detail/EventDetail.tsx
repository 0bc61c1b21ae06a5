import { Button, Code, DataList, Group, Stack } from '@mantine/core'
import { mutationOptions, queryOptions, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useOutletContext, useParams } from 'react-router'

import { type Delivery, type Event, managementTypes, type Subscription } from '#contract/index.ts'
import { api, ApiError, peek, q, refresh, reread } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { ReadChanges } from '../../../domain/changes/Changes.tsx'
import { describeEvent, isRead } from '../../../domain/changes/what-happened.ts'
import { Why } from '../../../domain/changes/Why.tsx'
import { eventTypeName } from '../../../domain/event-type-name.ts'
import { QueryFailure } from '../../../domain/failures/InlineFailure.tsx'
import { jobOfEvent } from '../../../domain/jobs/result.ts'
import { links } from '../../../domain/links.ts'
import { changesetQuery } from '../../../domain/queries/changesets.ts'
import { eventQuery } from '../../../domain/queries/events.ts'
import { UndoButton } from '../../../domain/restoring/UndoButton.tsx'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { deliveriesText, eventChangesText, eventDetailText, jobsText } from '../../../messages/index.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { AsSent, Fact, UnknownFacts } from '../../../ui/Facts.tsx'
import { ShortId } from '../../../ui/ShortId.tsx'
import { SkeletonRows } from '../../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { LogView } from '../log/use-event-log.ts'
import { DeliveryEntry, type WebhookEntry } from './DeliveryEntry.tsx'
import { EventPanel, EventSection } from './EventPanel.tsx'
import { DeliveryMark, isSubjectKind, JobLink, SubjectLink } from './EventParts.tsx'
import classes from './Deliveries.module.css'

export function EventDetail() {
  const { isFull } = useOutletContext<LogView>()
  const { eventId = '' } = useParams()
  const { data: event } = useSuspenseQuery(eventQuery(eventId))
  const { id, eventtime, type, properties, delivered: _, delivery: __, deliveredtime, ...unknown } = event
  const json = JSON.stringify(event, null, 2)

  return (
    <EventPanel
      key={id}
      title={
        <>
          {eventTypeName(type) ?? type} {isRead(event) && <SensitiveMark />}
        </>
      }
    >
      <DataList gap="xs" labelWidth={76}>
        <Fact name={eventDetailText.type}>
          <AsSent value={type} />
        </Fact>
        <Fact name={eventDetailText.time}>
          <Timestamp value={eventtime} mode="minute" focusable />
        </Fact>
        {event.delivery?.state !== 'none' && (
          <Fact name={eventDetailText.delivery}>
            <DeliveryMark event={event} />
          </Fact>
        )}
        <Fact name={eventDetailText.deliveredAt}>
          {deliveredtime != null && <Timestamp value={deliveredtime} mode="minute" focusable />}
        </Fact>
        <Fact name={eventDetailText.id}>
          <ShortId id={id} full />
        </Fact>
        <UnknownFacts members={unknown} />
      </DataList>
      <EventSection title={eventDetailText.properties}>
        {Object.keys(properties).length === 0 && <p className="ds-dimmed">{eventDetailText.noProperties}</p>}
        <DataList gap="xs" labelWidth={76}>
          {Object.entries(properties).map(([name, value]) => (
            <Fact key={name} name={<AsSent value={name} />}>
              <PropertyValue event={event} name={name} value={value} />
            </Fact>
          ))}
        </DataList>
      </EventSection>
      {isFull && (
        <>
          <WhatChanged event={event} />
          <Deliveries event={event} />
        </>
      )}
      <EventSection
        title={eventDetailText.json}
        aside={<CopyButton value={json} label={eventDetailText.copyJson} />}
      >
        {/* Focusable, because a scrollable region must be reachable by keyboard. */}
        <Code block tabIndex={0} p="sm" bg="var(--ds-surface)" bdrs="md" style={{ whiteSpace: 'pre-wrap' }}>
          {json}
        </Code>
      </EventSection>
    </EventPanel>
  )
}

function PropertyValue({ event, name, value }: { event: Event; name: string; value: unknown }) {
  if (typeof value !== 'string' || value === '') return <AsSent value={value} />
  return (
    <Group gap={4} wrap="nowrap">
      {isSubjectKind(name) ? <SubjectLink event={event} kind={name} full /> : <AsSent value={value} />}
      <CopyButton value={value} label={eventDetailText.copy({ property: name })} />
    </Group>
  )
}

/** Old → new values of the write behind an event; renders nothing if there was no write. */
function WhatChanged({ event }: { readonly event: Event }) {
  const { type, properties } = event
  const { user, changeset } = properties
  const job = jobOfEvent(event)
  if (job)
    return (
      <EventSection title={eventChangesText.title}>
        {/* Each on a line of its own: a link within a text would need an underline. */}
        <Stack gap={4} align="flex-start">
          {job.result !== undefined && <p>{job.result}</p>}
          <JobLink {...job} />
          <Link to={links.events({ job: job.id })}>{jobsText.changesInLog}</Link>
          <UndoButton
            event={event}
            changeset={undefined}
            change={job.result ?? eventTypeName(type) ?? type}
          />
        </Stack>
      </EventSection>
    )
  if (typeof user !== 'string' || typeof changeset !== 'string') return null
  return (
    <EventSection title={eventChangesText.title}>
      {type === 'USER_DELETED' ? (
        // Changesets are erased with the user, so only the deletion receipt can be shown.
        <Link to={links.deletionReceipt(user)}>{eventChangesText.receipt}</Link>
      ) : (
        <LoadedChanges event={event} userId={user} changesetId={changeset} />
      )}
    </EventSection>
  )
}

interface LoadedChangesProps {
  readonly event: Event
  readonly userId: string
  readonly changesetId: string
}

function LoadedChanges({ event, userId, changesetId }: LoadedChangesProps) {
  const denied = useDenied('users:read', 'entities:read')
  const query = useQuery({ ...changesetQuery(userId, changesetId), enabled: denied === undefined })
  if (denied !== undefined) return <p className="ds-dimmed">{denied}</p>
  return (
    <>
      {query.data && <Why {...query.data} />}
      <ReadChanges query={query} />
      <UndoButton
        event={event}
        changeset={query.data}
        change={describeEvent(event, { changeset: query.data, entityTypes: undefined })}
      />
    </>
  )
}

/** Webhooks that an event was sent to, with every attempt, and buttons to send it again. */
function Deliveries({ event }: { readonly event: Event }) {
  const denied = useDenied('webhooks:manage')
  const query = useQuery(deliveriesQuery(event.id))
  // Only people who manage webhooks can see webhook names.
  const { data: subscriptions = [] } = useQuery({ ...q('listSubscriptions'), enabled: denied === undefined })
  const { mutate, isPending, variables } = useMutation({
    ...redeliver(event.id),
    onSuccess: (answer) => showToast({ message: deliveriesText.queued({ count: answer.deliveries }) }),
    onError: (failure) => showToast({ tone: 'failure', ...describeResendFailure(failure) }),
  })
  const entries = query.data && listEntries(event, query.data, subscriptions)

  return (
    <EventSection
      title={deliveriesText.title}
      aside={
        entries &&
        entries.length > 1 && (
          <DisabledReason reason={denied}>
            <Button
              variant="default"
              size="compact-xs"
              loading={isPending && variables === undefined}
              onClick={() => mutate(undefined)}
            >
              {deliveriesText.resendAll}
            </Button>
          </DisabledReason>
        )
      }
    >
      {entries ? (
        entries.length === 0 ? (
          <p className="ds-dimmed">{deliveriesText.none}</p>
        ) : (
          <Stack component="ul" gap={0} m={0} p={0} className={classes.list ?? ''}>
            {entries.map((entry) => (
              <DeliveryEntry
                key={entry.id}
                {...entry}
                event={event}
                nowMs={query.dataUpdatedAt}
                isSending={isPending && variables === entry.id}
                onResend={() => mutate(entry.id)}
              />
            ))}
          </Stack>
        )
      ) : query.error ? (
        <QueryFailure title={deliveriesText.failed} own={{ kept: deliveriesText.failedBody }} query={query} />
      ) : (
        <SkeletonRows rows={2} height="44px" />
      )}
    </EventSection>
  )
}

/** Lists the deliveries, followed by the subscriptions that currently match the event but never received it. */
function listEntries(
  { type, properties }: Event,
  deliveries: readonly Delivery[],
  subscriptions: readonly Subscription[],
): readonly WebhookEntry[] {
  const isFor = ({ id, enabled, types }: Subscription) =>
    type === 'WEBHOOK_TEST'
      ? properties['subscription'] === id
      : enabled && !managementTypes.some((each) => each === type) && (types?.includes(type) ?? true)
  return [
    ...deliveries.map((delivery) => ({
      id: delivery.subscription,
      delivery,
      subscription: subscriptions.find(({ id }) => id === delivery.subscription),
    })),
    ...subscriptions
      .filter(({ id }) => deliveries.every(({ subscription }) => subscription !== id))
      .filter(isFor)
      .map((subscription) => ({ id: subscription.id, subscription })),
  ]
}

function describeResendFailure(failure: unknown) {
  if (!(failure instanceof ApiError)) return { message: deliveriesText.notQueued }
  const { outcomeUnknown, requestId, errors, detail } = failure
  if (outcomeUnknown) return { message: deliveriesText.unknown }
  const reason = errors[0]?.detail ?? detail ?? ''
  const message = reason === '' ? deliveriesText.notQueued : deliveriesText.notQueuedBecause({ reason })
  return { message, requestId }
}

const soonMs = 5000
const rareMs = 30_000
/** A delivery overdue by this long belongs to a paused webhook, so it does not shorten the polling interval. */
const heldMs = 60_000

/** Query for the deliveries of an event, with every attempt; polls while one of them is waiting. */
function deliveriesQuery(eventId: string) {
  return queryOptions({
    ...q('listDeliveries', { params: { event_id: eventId } }),
    queryFn: async ({ client, signal }) => {
      const deliveries = await api.listDeliveries({ params: { event_id: eventId }, signal })
      const query = eventQuery(eventId)
      const event = peek(client, query)
      if (event && hasOtherStatus(event, deliveries)) void reread(client, query)
      return deliveries
    },
    refetchInterval: ({ state }) => waitMs(state.data ?? []),
    staleTime: 0,
  })
}

/** Whether the cached event's status is older than its deliveries, which were since queued, delivered or given up. */
function hasOtherStatus({ delivered, delivery }: Event, deliveries: readonly Delivery[]): boolean {
  const is = (wanted: string) => deliveries.some(({ state }) => state === wanted)
  if (delivery) return is('waiting') ? delivery.state === 'none' : delivery.state === 'waiting'
  return delivered === false && deliveries.length > 0 && !is('waiting') && !is('failed')
}

/** Returns the polling interval: short while an attempt is due, long while it is far off; false if none is waiting. */
function waitMs(deliveries: readonly Delivery[]): number | false {
  const waits = deliveries
    .filter(({ state }) => state === 'waiting')
    .map(({ next }) => (typeof next === 'string' ? Date.parse(next) - Date.now() : rareMs))
  if (waits.length === 0) return false
  const first = Math.min(rareMs, ...waits.filter((ms) => ms > -heldMs))
  return first < soonMs ? 500 : first
}

/** Resends an event to one subscription, or to all that match it. */
function redeliver(eventId: string) {
  return mutationOptions({
    mutationFn: (subscription: string | undefined) =>
      api.redeliverEvent({ params: { event_id: eventId }, body: { subscription } }),
    onSettled: (_answer, _error, _subscription, _result, { client }) => refresh(client, 'listDeliveries'),
  })
}
