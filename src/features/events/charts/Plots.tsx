import '@mantine/charts/styles.layer.css'

import { BarChart } from '@mantine/charts'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'

import { eventText } from '../../../messages/index.ts'
import { number } from '../../../messages/format.ts'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Zones } from '../../../ui/time.ts'
import type { Bucket, Buckets } from './buckets.ts'
import classes from './EventCharts.module.css'
import { countOf, type Series, seriesOf } from './series.ts'
import { spanText, tickTexts } from './spans.ts'

const text = eventText.charts

export interface PlotsProps {
  readonly data: Buckets
  readonly zone: Zones['shown']
  readonly onSpan: (bucket: Bucket) => void
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
  const span = (bucket: Bucket) => spanText(bucket, unit, zone)

  return (
    <div className={classes.plots}>
      <Plot
        title={text.byType}
        legend={<Types series={series} onType={onType} />}
        buckets={buckets}
        ticks={ticks}
        series={series}
        valuesOf={(bucket) => Object.fromEntries(series.map((each) => [each.name, countOf(bucket, each)]))}
        format={number}
        describe={(bucket) => [
          span(bucket),
          text.events(bucket.total),
          ...series
            .filter((each) => countOf(bucket, each) > 0)
            .map((each) => text.line(each.name, number(countOf(bucket, each)))),
        ]}
        onSpan={onSpan}
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
          buckets={buckets}
          ticks={ticks}
          series={lagSeries}
          valuesOf={({ lag }) => ({ half: lag?.halfMs ?? 0, most: lag ? lag.mostMs - lag.halfMs : 0 })}
          format={duration}
          describe={(bucket) => [span(bucket), ...lagLines(bucket)]}
          onSpan={onSpan}
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

/** Of the chart around its bars; the buttons that lie over them keep to it. */
const axisWidthPx = 60
const axisHeightPx = 26
const topPx = 6
const rightPx = 8

interface PlotProps {
  readonly title: string
  readonly legend: ReactNode
  readonly buckets: readonly Bucket[]
  readonly ticks: readonly string[]
  readonly series: readonly { readonly name: string; readonly colour: string }[]
  readonly valuesOf: (bucket: Bucket) => Readonly<Record<string, number>>
  readonly format: (value: number) => string
  /** In words, line by line. */
  readonly describe: (bucket: Bucket) => readonly string[]
  readonly onSpan: (bucket: Bucket) => void
}

/**
 * Stacked bars. The picture is for the eye alone: over each bar lies a button as high as the chart, for pointer,
 * keyboard (one stop, arrow keys from bar to bar) and screen reader.
 */
function Plot({ title, legend, buckets, ticks, series, valuesOf, format, describe, onSpan }: PlotProps) {
  const titleId = useId()
  const [stop, setStop] = useState(-1)
  const filled = buckets.flatMap(({ total }, index) => (total > 0 ? [index] : []))
  const focusable = filled.includes(stop) ? stop : filled.at(-1)

  const colours = new Map(series.map(({ name, colour }) => [name, colour]))

  return (
    <figure className={classes.plot} aria-labelledby={titleId}>
      <figcaption className={classes.caption}>
        <h3 id={titleId} className={classes.title}>
          {title}
        </h3>
        {legend}
      </figcaption>
      <div className={classes.area}>
        <div aria-hidden className={classes.picture}>
          <BarChart
            h="100%"
            className={classes.chart ?? ''}
            type="stacked"
            data={buckets.map((bucket, index) => ({ ...valuesOf(bucket), tick: index }))}
            dataKey="tick"
            series={series.map(({ name }) => ({ name, color: 'indigo' }))}
            barProps={({ name }) => ({ fill: colours.get(name) })}
            valueFormatter={format}
            withTooltip={false}
            accessibilityLayer={false}
            tickLine="none"
            strokeDasharray="0"
            maxBarWidth={36}
            barChartProps={{
              margin: { top: topPx, right: rightPx, bottom: 0, left: 0 },
              barCategoryGap: '12%',
            }}
            xAxisProps={{
              height: axisHeightPx,
              minTickGap: 24,
              tickFormatter: (index: number) => ticks[index] ?? '',
            }}
            yAxisProps={{ width: axisWidthPx, allowDecimals: false, tickCount: 4 }}
          />
        </div>
        <fieldset
          aria-labelledby={titleId}
          className={classes.bars}
          style={{
            inset: `${topPx}px ${rightPx}px ${axisHeightPx}px ${axisWidthPx}px`,
            gridTemplateColumns: `repeat(${buckets.length}, minmax(0, 1fr))`,
          }}
        >
          {filled.map((index) => {
            const bucket = buckets[index]
            if (!bucket) return null
            const lines = describe(bucket)
            return (
              <button
                key={index}
                type="button"
                className={classes.bar}
                style={{ gridColumn: index + 1 }}
                tabIndex={index === focusable ? 0 : -1}
                aria-label={lines.join(', ')}
                onFocus={() => setStop(index)}
                onKeyDown={moveFocus}
                onClick={() => onSpan(bucket)}
                {...hint([...lines, text.onlySpan].join('\n'))}
              />
            )
          })}
        </fieldset>
      </div>
    </figure>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const { currentTarget } = event
  const bars = [...(currentTarget.parentElement?.querySelectorAll('button') ?? [])]
  const at = bars.findIndex((bar) => bar === currentTarget)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  bars[Math.min(Math.max(to, 0), bars.length - 1)]?.focus()
}
