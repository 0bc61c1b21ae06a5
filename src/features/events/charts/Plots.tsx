import { useMemo } from 'react'

import { eventText } from '../../../messages/index.ts'
import { number } from '../../../messages/format.ts'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Zones } from '../../../ui/time.ts'
import type { Bucket, Buckets } from './buckets.ts'
import classes from './EventCharts.module.css'
import { Plot } from './Plot.tsx'
import { countOf, type Series, seriesOf } from './series.ts'
import { type Span, spanText, tickTexts } from './spans.ts'

const text = eventText.charts

export interface PlotsProps {
  readonly data: Buckets
  readonly zone: Zones['shown']
  readonly onSpan: (span: Span) => void
  readonly onType: (type: string) => void
}

const lagSeries = [
  { name: 'half', colour: 'var(--tone-1)' },
  { name: 'most', colour: 'var(--tone-2)' },
]

/** Events by type, and how long deliveries took, side by side over the same spans of time. */
export function Plots({ data, zone, onSpan, onType }: PlotsProps) {
  const series = useMemo(() => seriesOf(data.types), [data])
  const { buckets, unit } = data
  const isDelivered = buckets.some(({ lag }) => lag !== undefined)
  const ticks = useMemo(() => tickTexts(data, zone), [data, zone])
  const plot = { buckets, ticks, onSpan, spanText: (span: Span) => spanText(span, unit, zone) }

  return (
    <div className={classes.plots}>
      <Plot
        title={text.byType}
        legend={<Types series={series} onType={onType} />}
        {...plot}
        series={series}
        valuesOf={(bucket) => Object.fromEntries(series.map((each) => [each.name, countOf(bucket, each)]))}
        describe={(bucket) => [
          text.events(bucket.total),
          ...series
            .filter((each) => countOf(bucket, each) > 0)
            .map((each) => text.line(each.name, number(countOf(bucket, each)))),
        ]}
      />
      {isDelivered ? (
        <Plot
          title={text.lag}
          legend={
            <ul className={classes.legend}>
              {lagSeries.map(({ name, colour }) => (
                <li key={name} className={classes.entry}>
                  <Swatch colour={colour} />
                  {name === 'half' ? text.half : text.most}
                </li>
              ))}
            </ul>
          }
          {...plot}
          series={lagSeries}
          valuesOf={({ lag }) => ({ half: lag?.halfMs ?? 0, most: lag ? lag.mostMs - lag.halfMs : 0 })}
          format={duration}
          describe={lagLines}
        />
      ) : (
        <figure className={classes.plot}>
          <figcaption className={classes.caption}>
            <h3 className={classes.title}>{text.lag}</h3>
          </figcaption>
          <p className={classes.nothing}>{text.noneDelivered}</p>
        </figure>
      )}
    </div>
  )
}

function lagLines({ lag, notDelivered }: Bucket): string[] {
  return [
    ...(lag
      ? [
          text.deliveredEvents(lag.delivered),
          text.line(text.half, duration(lag.halfMs)),
          text.line(text.most, duration(lag.mostMs)),
          text.line(text.slowest, duration(lag.slowestMs)),
        ]
      : []),
    ...(notDelivered > 0 ? [text.notDelivered(notDelivered)] : []),
  ]
}

function Types({
  series,
  onType,
}: {
  readonly series: readonly Series[]
  readonly onType: (type: string) => void
}) {
  return (
    <ul className={classes.legend}>
      {series.map(({ name, colour, types: [type = '', ...others] }) => (
        <li key={name} className={classes.entry}>
          {others.length > 0 ? (
            <>
              <Swatch colour={colour} />
              {name}
            </>
          ) : (
            <button
              type="button"
              className={classes.type}
              onClick={() => onType(type)}
              {...hint(text.onlyType(type))}
            >
              <Swatch colour={colour} />
              {name}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Swatch({ colour }: { readonly colour: string }) {
  return <span className={classes.swatch} style={{ background: colour }} aria-hidden />
}
