import { Code, DataList, Group } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'

import type { Event } from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { isRead } from '../../../domain/changes/is-read.ts'
import { eventTypeName } from '../../../domain/event-type-name.ts'
import { eventQuery } from '../../../domain/queries/events.ts'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { eventChangesText, eventDetailText } from '../../../messages/index.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Fact } from '../../../ui/Facts.tsx'
import { ShortId } from '../../../ui/ShortId.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { DeliveryMark } from './DeliveryMark.tsx'
import { Deliveries } from './Deliveries.tsx'
import { EventPanel, EventSection } from './EventPanel.tsx'
import { isSubjectKind, SubjectLink } from './EventSubject.tsx'
import { links } from '../../../domain/links.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { ReadChanges } from '../../../domain/changes/Changes.tsx'
import { Why } from '../../../domain/changes/Why.tsx'
import { changesetQuery } from '../../../domain/queries/changesets.ts'

export function EventDetail() {
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
      <DataList gap="xs" labelWidth={96}>
        <Fact name={eventDetailText.type}>
          <AsSent value={type} />
        </Fact>
        <Fact name={eventDetailText.time}>
          <Timestamp value={eventtime} mode="minute" focusable />
        </Fact>
        <Fact name={eventDetailText.delivery}>
          <DeliveryMark event={event} />
        </Fact>
        {deliveredtime != null && (
          <Fact name={eventDetailText.deliveredAt}>
            <Timestamp value={deliveredtime} mode="minute" focusable />
          </Fact>
        )}
        <Fact name={eventDetailText.id}>
          <ShortId id={id} full />
        </Fact>
        {/* Fields unknown to the console are shown with their raw names and values. */}
        {Object.entries(unknown).map(([name, value]) => (
          <Fact key={name} name={<AsSent value={name} />}>
            <AsSent value={value} />
          </Fact>
        ))}
      </DataList>
      <EventSection title={eventDetailText.properties}>
        {Object.keys(properties).length === 0 && <p className="ds-dimmed">{eventDetailText.noProperties}</p>}
        <DataList gap="xs" labelWidth={96}>
          {Object.entries(properties).map(([name, value]) => (
            <Fact key={name} name={<AsSent value={name} />}>
              <PropertyValue event={event} name={name} value={value} />
            </Fact>
          ))}
        </DataList>
      </EventSection>
      {isFull() && (
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

function AsSent({ value }: { readonly value: unknown }) {
  return <span className="ds-mono">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}

/** Old → new values of the write behind an event; renders nothing if there was no write. */
function WhatChanged({ event: { type, properties } }: { readonly event: Event }) {
  const { user, changeset } = properties
  if (typeof user !== 'string' || typeof changeset !== 'string') return null
  return (
    <EventSection title={eventChangesText.title} label={eventChangesText.title}>
      {type === 'USER_DELETED' ? (
        // Changesets are erased with the user, so only the deletion receipt can be shown.
        <Link to={links.deletionReceipt(user)}>{eventChangesText.receipt}</Link>
      ) : (
        <LoadedChanges userId={user} changesetId={changeset} />
      )}
    </EventSection>
  )
}

function LoadedChanges({ userId, changesetId }: { readonly userId: string; readonly changesetId: string }) {
  const denied = useDenied('users:read', 'entities:read')
  const query = useQuery({ ...changesetQuery(userId, changesetId), enabled: denied === undefined })
  if (denied !== undefined) return <p className="ds-dimmed">{denied}</p>
  return (
    <>
      {query.data && <Why {...query.data} />}
      <ReadChanges query={query} />
    </>
  )
}
