import { type ComponentProps, memo } from 'react'

import { type DeliveryState, deliveryStates } from '#contract/index.ts'
import { eventChartText, eventFilterText } from '../../../messages/index.ts'
import { number } from '../../../messages/format.ts'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Zones } from '../../../ui/time.ts'
import type { EventFilter } from '../log/filter.ts'
import type { Bucket, Buckets } from './buckets.ts'
import classes from './EventChart.module.css'
import type { Span } from './edges.ts'
import { Plot } from './Plot.tsx'
import { countInSeries, type Series, seriesOf } from './series.ts'
import { spanText, tickTexts } from './spans.ts'

/** Property that the bars are divided by. */
export type Division = (typeof divisions)[number]
export const divisions = ['type', 'delivery'] as const

export interface EventBarsProps {
  readonly data: Buckets
  readonly zone: Zones['shown']
  readonly onSpan: (span: Span) => void
  readonly onType: (type: string) => void
  /** Filters by delivery status; without `span`, within the time span shown. */
  readonly onDelivery: (status: Pick<EventFilter, 'delivered' | 'delivery'>, span?: Span) => void
}

/**
 * Bar chart over time, divided by type or by delivery: by delivery state if the service counts it, otherwise by lag.
 */
export const EventBars = memo(function EventBars(props: EventBarsProps & { readonly division: Division }) {
  const { data, zone, division, onSpan, onType, onDelivery } = props
  const { buckets, unit } = data
  const plot = {
    buckets,
    onSpan,
    ticks: tickTexts(data, zone),
    spanText: (span: Span) => spanText(span, unit, zone),
  }
  if (division === 'type') return <BarsByType {...plot} series={seriesOf(data.types)} onType={onType} />
  return buckets[0]?.states ? <BarsByState {...plot} onDelivery={onDelivery} /> : <DeliveryLag {...plot} />
})

type SharedPlotProps = Pick<ComponentProps<typeof Plot>, 'buckets' | 'onSpan' | 'ticks' | 'spanText'>

function BarsByType({
  series,
  onType,
  ...plot
}: SharedPlotProps & { readonly series: readonly Series[] } & Pick<EventBarsProps, 'onType'>) {
  return (
    <Plot
      title={eventChartText.byType}
      legend={series.map(({ name, colour, types: [type = '', ...others] }) => (
        <LegendEntry
          key={name}
          swatch={colour}
          name={name}
          {...(others.length === 0 && {
            only: eventChartText.onlyType({ type }),
            onPress: () => onType(type),
          })}
        />
      ))}
      {...plot}
      series={series}
      valuesOf={(bucket) =>
        Object.fromEntries(series.map((each) => [each.name, countInSeries(bucket, each)]))
      }
      describe={(bucket) => [
        eventChartText.events({ count: bucket.total }),
        ...series
          .filter((each) => countInSeries(bucket, each) > 0)
          .map((each) =>
            eventChartText.line({ name: each.name, value: number(countInSeries(bucket, each)) }),
          ),
      ]}
    />
  )
}

/** Delivery states from bottom to top of a bar, marked as in the rows: failed is striped, not requested is hollow. */
const stateSeries = (['none', 'delivered', 'waiting', 'failed'] as const).map((state) => ({
  name: state,
  state,
}))

function BarsByState({ onDelivery, ...plot }: SharedPlotProps & Pick<EventBarsProps, 'onDelivery'>) {
  return (
    <Plot
      title={eventChartText.byState}
      legend={deliveryStates.map((state) => (
        <LegendEntry
          key={state}
          state={state}
          name={eventFilterText.states[state]}
          only={eventChartText.onlyState({ state: eventFilterText.states[state] })}
          onPress={() => onDelivery({ delivery: state })}
        />
      ))}
      {...plot}
      series={stateSeries}
      valuesOf={({ states }) => ({ ...states })}
      describe={({ states }) =>
        deliveryStates.flatMap((state) =>
          states && states[state] > 0
            ? [eventChartText.line({ name: eventFilterText.states[state], value: number(states[state]) })]
            : [],
        )
      }
    />
  )
}

const lagSeries = [
  { name: 'half', colour: 'var(--tone-1)' },
  { name: 'most', colour: 'var(--tone-2)' },
] as const

function DeliveryLag(plot: SharedPlotProps) {
  if (plot.buckets.every(({ lag }) => lag === undefined))
    return (
      <figure className={classes.plot}>
        <figcaption className={classes.caption}>
          <h3 className={classes.title}>{eventChartText.lag}</h3>
        </figcaption>
        <p>{eventChartText.noneDelivered}</p>
      </figure>
    )
  return (
    <Plot
      title={eventChartText.lag}
      legend={lagSeries.map(({ name, colour }) => (
        <LegendEntry key={name} swatch={colour} name={eventChartText[name]} />
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
          eventChartText.deliveredEvents({ count: lag.delivered }),
          eventChartText.line({ name: eventChartText.half, value: duration(lag.halfMs) }),
          eventChartText.line({ name: eventChartText.most, value: duration(lag.mostMs) }),
          eventChartText.line({ name: eventChartText.slowest, value: duration(lag.slowestMs) }),
        ]
      : []),
    ...(notDelivered > 0 ? [eventChartText.notDelivered({ count: notDelivered })] : []),
  ]
}

interface LegendEntryProps {
  readonly name: string
  /** CSS colour; undefined to use the colour of the state. */
  readonly swatch?: string
  readonly state?: DeliveryState
  /** Label that describes the press; undefined if the entry is not a button. */
  readonly only?: string
  readonly onPress?: () => void
}

/** Legend entry; a button if it can filter. */
function LegendEntry({ name, swatch, state, only, onPress }: LegendEntryProps) {
  const content = (
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
          {content}
        </button>
      ) : (
        content
      )}
    </li>
  )
}
