import '@mantine/charts/styles.layer.css'

import { BarChart } from '@mantine/charts'
import { type ReactNode, useId, useState } from 'react'

import { number } from '../../../messages/format.ts'
import { eventText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Bucket } from './buckets.ts'
import classes from './EventCharts.module.css'
import type { Span } from './edges.ts'
import { useBrush } from './use-brush.ts'

const text = eventText.charts

/** Of the chart around its bars; the buttons that lie over them keep to it. */
const axisWidthPx = 60
const axisHeightPx = 26
const topPx = 6
const rightPx = 8

interface PictureProps {
  readonly buckets: readonly Bucket[]
  readonly ticks: readonly string[]
  /** Colours as CSS has them, or a pattern of the page. */
  readonly series: readonly {
    readonly name: string
    readonly colour: string
    readonly border?: string
    /** What there is one of among hundreds is seen too. */
    readonly leastPx?: number
  }[]
  readonly valuesOf: (bucket: Bucket) => Readonly<Record<string, number>>
  readonly format?: (value: number) => string
}

interface BarsProps {
  readonly buckets: readonly Bucket[]
  /** In words. */
  readonly spanText: (span: Span) => string
  /** Further lines about a bar. */
  readonly describe: (bucket: Bucket) => readonly string[]
  readonly onSpan: (span: Span) => void
}

interface PlotProps extends PictureProps, BarsProps {
  readonly title: string
  readonly legend: ReactNode
}

/** Stacked bars over time. */
export function Plot({ title, legend, ...given }: PlotProps) {
  const titleId = useId()
  return (
    <figure className={classes.plot} aria-labelledby={titleId}>
      <figcaption className={classes.caption}>
        <h3 id={titleId} className={classes.title}>
          {title}
        </h3>
        <ul className={classes.legend}>{legend}</ul>
      </figcaption>
      <div className={classes.area}>
        <Picture {...given} />
        <Bars {...given} titleId={titleId} />
      </div>
    </figure>
  )
}

/** For the eye alone. */
function Picture({ buckets, ticks, series, valuesOf, format = number }: PictureProps) {
  const values = buckets.map(valuesOf)
  const looks = new Map(series.map(({ name, ...look }) => [name, look]))
  return (
    <div aria-hidden className={classes.picture}>
      <BarChart
        h="100%"
        className={classes.chart ?? ''}
        type="stacked"
        data={values.map((each, index) => ({ ...each, tick: index }))}
        dataKey="tick"
        series={series.map(({ name }) => ({ name, color: 'indigo' }))}
        barProps={({ name }) => {
          const { colour, border, leastPx = 0 } = looks.get(name) ?? {}
          return {
            fill: colour,
            // The value that the library tells here is the sum of all below.
            minPointSize: (_sum, index) => ((values[index]?.[name] ?? 0) > 0 ? leastPx : 0),
            ...(border !== undefined && { stroke: border, strokeOpacity: 1 }),
          }
        }}
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
  )
}

/**
 * Over each bar a button as high as the chart, for pointer, keyboard (one stop, arrow keys from bar to bar) and screen
 * reader; over several of them a stretch can be drawn.
 */
function Bars({ buckets, spanText, describe, onSpan, titleId }: BarsProps & { readonly titleId: string }) {
  const [stop, setStop] = useState(-1)
  const filled = buckets.flatMap((bucket, place) => (bucket.total > 0 ? [{ bucket, place }] : []))
  const focusable = filled.find(({ place }) => place === stop) ?? filled.at(-1)
  const { range, handlers } = useBrush(buckets.length, (first, last) => onSpan(spanOf(buckets, first, last)))
  const drawn = range && buckets.slice(range.first, range.last + 1)
  return (
    <>
      <fieldset
        aria-labelledby={titleId}
        className={classes.bars}
        style={{
          inset: `${topPx}px ${rightPx}px ${axisHeightPx}px ${axisWidthPx}px`,
          gridTemplateColumns: `repeat(${buckets.length}, minmax(0, 1fr))`,
        }}
        {...handlers}
      >
        {filled.map(({ bucket, place }) => {
          const lines = [spanText(bucket), ...describe(bucket)]
          return (
            <button
              key={place}
              type="button"
              className={classes.bar}
              style={{ gridColumn: place + 1 }}
              data-place={place}
              tabIndex={place === focusable?.place ? 0 : -1}
              aria-label={lines.join(', ')}
              onFocus={() => setStop(place)}
              onClick={() => onSpan(bucket)}
              {...hint([...lines, text.onlySpan].join('\n'))}
            />
          )
        })}
        {range && (
          <span
            className={classes.range}
            style={{ gridColumn: `${range.first + 1} / ${range.last + 2}` }}
            aria-hidden
          />
        )}
      </fieldset>
      <output className={classes.drawn}>
        {range &&
          drawn &&
          text.drawn(
            spanText(spanOf(buckets, range.first, range.last)),
            drawn.reduce((sum, { total }) => sum + total, 0),
          )}
      </output>
    </>
  )
}

function spanOf(buckets: readonly Bucket[], first: number, last: number): Span {
  const startMs = buckets[first]?.startMs ?? 0
  return { startMs, endMs: buckets[last]?.endMs ?? startMs }
}
