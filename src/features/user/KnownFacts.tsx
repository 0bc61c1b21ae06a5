import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef } from 'react'
import { Link } from 'react-router'

import { type Entity, type PropertyValue, readValue } from '#contract/index.ts'
import { preferencePhase } from '#contract/reading/preference-phase.ts'
import { labelWithType } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { userSegmentsQuery } from '../../domain/queries/segments.ts'
import { userPageText, valueText } from '../../messages/index.ts'
import { takeFew } from '../../ui/show-more.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { Timestamp, useNowMs } from '../../ui/Timestamp.tsx'
import { useCameNear } from '../../ui/use-came-near.ts'
import classes from './KnownFacts.module.css'

const sideText = userPageText.side

function FactsSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Consents of the user, except sensitive ones. Those without a value, or with one that is no consent, are shown in the entity alone. */
export function Consents({ userId }: { readonly userId: string }) {
  const { data: all = [] } = useQuery(entitiesQuery(userId))
  const nowMs = useNowMs()
  const consents = all.flatMap(consentsOf)
  if (consents.length === 0) return null
  return (
    <FactsSection title={sideText.consents}>
      <ul className={classes.list}>
        {consents.map(({ id, name, consent }) => {
          const phase = preferencePhase(consent, nowMs)
          const isGranted = phase === 'current' && consent.status === 'GRANTED'
          return (
            <li key={id}>
              <StateMark tone={isGranted ? 'success' : undefined}>{name}</StateMark>
              <span className={classes.state}>
                <ConsentState consent={consent} phase={phase} />
              </span>
            </li>
          )
        })}
      </ul>
    </FactsSection>
  )
}

interface ConsentStateProps {
  readonly consent: PropertyValue['PREFERENCE']
  readonly phase: ReturnType<typeof preferencePhase>
}

function ConsentState({ consent: { status, statusDate, expires }, phase }: ConsentStateProps) {
  if (phase !== 'current')
    return valueText[phase][status].withElements({
      moment: <Timestamp value={phase === 'ended' ? expires : statusDate} mode="date" />,
    })
  return (
    <>
      {valueText.status[status]}
      {statusDate !== undefined && (
        <>
          {' · '}
          <Timestamp value={statusDate} />
        </>
      )}
    </>
  )
}

function consentsOf({ id, type: entityType, properties }: Entity) {
  return properties.flatMap(({ key, type, value, sensitive }, index) => {
    if (sensitive === true || type !== 'PREFERENCE') return []
    if (value === null || readValue(type, value).issues) return []
    const name = labelWithType(entityType, key)
    return [{ id: `${id} ${index}`, name, consent: value as PropertyValue['PREFERENCE'] }]
  })
}

/** Shows the segments that contain the user. Requested only once this part is on or near the screen. */
export function SegmentChips({ userId }: { readonly userId: string }) {
  const element = useRef<HTMLDivElement>(null)
  const isNear = useCameNear(element)
  const { data } = useQuery({ ...userSegmentsQuery(userId), enabled: isNear })
  const memberships = data?.filter(({ member }) => member === true)
  const shown = takeFew(memberships ?? [], 8)
  return (
    <div ref={element} className={classes.segments}>
      {memberships && (
        <FactsSection title={sideText.segments}>
          <ul className={classes.chips}>
            {shown.map(({ id, name }) => (
              <li key={id}>
                <Link to={links.segment(id)} dir="auto" className={classes.chip ?? ''}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
          {memberships.length === 0 && <p className="ds-dimmed">{sideText.none}</p>}
          <Link to={links.userSegments(userId)} className={classes.all ?? ''}>
            {describeWhy(memberships.length, shown.length)}
          </Link>
        </FactsSection>
      )}
    </div>
  )
}

function describeWhy(count: number, shown: number): string {
  const { none, all, more } = sideText.why
  if (count === 0) return none
  return count > shown ? more({ count }) : all
}
