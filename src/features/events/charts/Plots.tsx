import { type ComponentProps, memo } from 'react'

import { type DeliveryState, deliveryStates } from '#contract/index.ts'
import { eventLogText, eventText } from '../../../messages/index.ts'
import { number } from '../../../messages/format.ts'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Zones } from '../../../ui/time.ts'
import type { EventFilter } from '../log/filter.ts'
import type { Bucket, Buckets } from './buckets.ts'
import classes from './EventCharts.module.css'
import type { Span } from './edges.ts'
import { Plot } from './Plot.tsx'
import { countOf, type Series, seriesOf } from './series.ts'
import { spanText, tickTexts } from './spans.ts'

const chartsText = eventText.charts
const stateText = eventLogText.filter.states

export interface PlotsProps {
  readonly data: Buckets
  readonly zone: Zones['shown']
  readonly onSpan: (span: Span) => void
  readonly onType: (type: string) => void
  /** Filters by delivery status; without `span`, within the span shown. */
  readonly onStanding: (standing: Pick<EventFilter, 'delivered' | 'delivery'>, span?: Span) => void
}

/** Events by type, and their delivery states or delivery lag, side by side over the same spans of time. */
export const Plots = memo(function Plots({ data, zone, onSpan, onType, onStanding }: PlotsProps) {
  const { buckets, unit } = data
  const plot = {
    buckets,
    onSpan,
    ticks: tickTexts(data, zone),
    spanText: (span: Span) => spanText(span, unit, zone),
  }
  return (
    <div className={classes.plots}>
      <ByType {...plot} series={seriesOf(data.types)} onType={onType} />
      {buckets[0]?.states ? <ByState {...plot} onStanding={onStanding} /> : <DeliveryLag {...plot} />}
    </div>
  )
})

type Shared = Pick<ComponentProps<typeof Plot>, 'buckets' | 'onSpan' | 'ticks' | 'spanText'>

function ByType({
  series,
  onType,
  ...plot
}: Shared & { readonly series: readonly Series[] } & Pick<PlotsProps, 'onType'>) {
  return (
    <Plot
      title={chartsText.byType}
      legend={series.map(({ name, colour, types: [type = '', ...others] }) => (
        <Entry
          key={name}
          swatch={colour}
          name={name}
          {...(others.length === 0 && { only: chartsText.onlyType(type), onPress: () => onType(type) })}
        />
      ))}
      {...plot}
      series={series}
      valuesOf={(bucket) => Object.fromEntries(series.map((each) => [each.name, countOf(bucket, each)]))}
      describe={(bucket) => [
        chartsText.events(bucket.total),
        ...series
          .filter((each) => countOf(bucket, each) > 0)
          .map((each) => chartsText.line(each.name, number(countOf(bucket, each)))),
      ]}
    />
  )
}

/**
 * Delivery states from the bottom of the bars up, marked as in the rows: failed is striped, not requested is hollow.
 */
const stateSeries = (['none', 'delivered', 'waiting', 'failed'] as const).map((state) => ({
  name: state,
  state,
}))

function ByState({ onStanding, ...plot }: Shared & Pick<PlotsProps, 'onStanding'>) {
  return (
    <Plot
      title={chartsText.byState}
      legend={deliveryStates.map((state) => (
        <Entry
          key={state}
          state={state}
          name={stateText[state]}
          only={chartsText.onlyState(stateText[state])}
          onPress={() => onStanding({ delivery: state })}
        />
      ))}
      {...plot}
      series={stateSeries}
      valuesOf={({ states }) => ({ ...states })}
      describe={({ states }) =>
        deliveryStates.flatMap((state) =>
          states && states[state] > 0 ? [chartsText.line(stateText[state], number(states[state]))] : [],
        )
      }
    />
  )
}

const lagSeries = [
  { name: 'half', colour: 'var(--tone-1)' },
  { name: 'most', colour: 'var(--tone-2)' },
] as const

function DeliveryLag(plot: Shared) {
  if (plot.buckets.every(({ lag }) => lag === undefined))
    return (
      <figure className={classes.plot}>
        <figcaption className={classes.caption}>
          <h3 className={classes.title}>{chartsText.lag}</h3>
        </figcaption>
        <p>{chartsText.noneDelivered}</p>
      </figure>
    )
  return (
    <Plot
      title={chartsText.lag}
      legend={lagSeries.map(({ name, colour }) => (
        <Entry key={name} swatch={colour} name={chartsText[name]} />
      ))}
      {...plot}
      series={lagSeries}
      valuesOf={({ lag }) => ({ half: lag?.halfMs ?? 0, most: lag ? lag.mostMs - lag.halfMs : 0 })}
      format={duration}
      describe={lagLines}
    />
  )
}

function lagLines({ lag, notDelivered }: Bucket): string[] {
  return [
    ...(lag
      ? [
          chartsText.deliveredEvents(lag.delivered),
          chartsText.line(chartsText.half, duration(lag.halfMs)),
          chartsText.line(chartsText.most, duration(lag.mostMs)),
          chartsText.line(chartsText.slowest, duration(lag.slowestMs)),
        ]
      : []),
    ...(notDelivered > 0 ? [chartsText.notDelivered(notDelivered)] : []),
  ]
}

interface EntryProps {
  readonly name: string
  /** A CSS colour; absent: that of the state. */
  readonly swatch?: string
  readonly state?: DeliveryState
  /** Says what pressing it does; absent: nothing. */
  readonly only?: string
  readonly onPress?: () => void
}

/** Entry of a legend. */
function Entry({ name, swatch, state, only, onPress }: EntryProps) {
  const said = (
    <>
      <span
        className={classes.swatch}
        data-state={state}
        style={swatch === undefined ? undefined : { background: swatch }}
        aria-hidden
      />
      {name}
    </>
  )
  return (
    <li className={classes.entry}>
      {onPress ? (
        <button type="button" className={classes.type} onClick={onPress} {...hint(only)}>
          {said}
        </button>
      ) : (
        said
      )}
    </li>
  )
}
