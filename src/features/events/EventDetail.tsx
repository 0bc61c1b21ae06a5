import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'

import type { Event } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { eventText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { Deliveries } from './Deliveries.tsx'
import { DeliveredMark } from './DeliveredMark.tsx'
import classes from './EventDetail.module.css'
import { EventPanel } from './EventPanel.tsx'
import { isKind, SubjectLink } from './EventSubject.tsx'
import { eventQuery } from '../../domain/queries/events.ts'
import { WhatChanged } from './WhatChanged.tsx'

/** Everything that the service says of one event. */
export function EventDetail() {
  const { eventId = '' } = useParams()
  const { data: event } = useSuspenseQuery(eventQuery(eventId))
  const { id, eventtime, type, properties, delivered, deliveredtime, ...unknown } = event
  const label = eventText.type(type)
  const json = JSON.stringify(event, null, 2)

  return (
    <EventPanel
      key={id}
      title={
        <>
          {label ?? type} {type === 'SENSITIVE_DATA_ACCESSED' && <SensitiveMark />}
        </>
      }
    >
      <dl className={classes.fields}>
        <Field name={eventText.detail.type}>
          <span className="ds-mono">{type}</span>
        </Field>
        <Field name={eventText.detail.time}>
          <Timestamp value={eventtime} mode="exact" focusable />
        </Field>
        <Field name={eventText.detail.delivery}>
          <DeliveredMark delivered={delivered} />
        </Field>
        {deliveredtime !== null && deliveredtime !== undefined && (
          <Field name={eventText.detail.deliveredAt}>
            <Timestamp value={deliveredtime} mode="exact" focusable />
          </Field>
        )}
        <Field name={eventText.detail.id}>
          <ShortId id={id} full />
        </Field>
        {Object.entries(unknown).map(([name, value]) => (
          <Field key={name} name={name} code>
            <Raw value={value} />
          </Field>
        ))}
      </dl>
      <section className={classes.part}>
        <h3 className={classes.heading}>{eventText.detail.properties}</h3>
        {Object.keys(properties).length === 0 ? (
          <p className="ds-dimmed">{eventText.detail.noProperties}</p>
        ) : (
          <dl className={classes.fields}>
            {Object.entries(properties).map(([name, value]) => (
              <Field key={name} name={name} code>
                <PropertyValue event={event} name={name} value={value} />
              </Field>
            ))}
          </dl>
        )}
      </section>
      <WhatChanged event={event} />
      {offers('webhooks') && <Deliveries event={event} />}
      <section className={classes.part}>
        <h3 className={classes.heading}>
          {eventText.detail.json}
          <CopyButton value={json} label={eventText.detail.copyJson} />
        </h3>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
        <pre className={classes.json} tabIndex={0}>
          {json}
        </pre>
      </section>
    </EventPanel>
  )
}

interface FieldProps {
  readonly name: string
  /** The name is the service's, not ours. */
  readonly code?: boolean
  readonly children: ReactNode
}

function Field({ name, code = false, children }: FieldProps) {
  return (
    <div className={classes.field}>
      <dt className={code ? 'ds-mono' : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function PropertyValue({ event, name, value }: { event: Event; name: string; value: unknown }) {
  if (typeof value !== 'string' || value === '') return <Raw value={value} />
  return (
    <span className={classes.value}>
      {isKind(name) ? (
        <SubjectLink event={event} kind={name} full />
      ) : (
        <span className="ds-mono">{value}</span>
      )}
      <CopyButton value={value} label={eventText.detail.copy(name)} />
    </span>
  )
}

function Raw({ value }: { readonly value: unknown }) {
  return <span className="ds-mono">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}
