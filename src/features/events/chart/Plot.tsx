import { Anchor, type AnchorProps, Box, Group, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useId,
  useRef,
  useState,
} from 'react'

import { eventChartText } from '../../../messages/index.ts'
import { number } from '../../../messages/language/format.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { hint } from '../../../ui/Hint.tsx'
import type { Zones } from '../../../ui/time.ts'
import type { EventFilter } from '../log/filter.ts'
import { type Bucket, type Buckets, totalOf } from './buckets.ts'
import { type Series, seriesByState, seriesByType } from './series.ts'
import { momentsOf, type Span, spanText, tickTexts } from './spans.ts'
import classes from './EventChart.module.css'

export interface ChartProps {
  readonly data: Buckets
  readonly zone: Zones['shown']
  /** Changes the filter of the log to the events of a series, of a time span, or of both. */
  readonly onFilter: (change: EventFilter) => void
}

/** Bars over time, divided by type or by delivery state. */
export function Plot({ division, ...props }: ChartProps & { readonly division: 'type' | 'delivery' }) {
  const titleId = useId()
  const series = division === 'type' ? seriesByType(props.data.types) : seriesByState
  return (
    <Box component="figure" m={0} miw={0} aria-labelledby={titleId}>
      <Group component="figcaption" className={classes.caption ?? ''} gap="0 12px" pb={8} fz="xs" c="dimmed">
        <Text component="h3" id={titleId} size="sm" fw={500} c="var(--mantine-color-text)">
          {division === 'type' ? eventChartText.byType : eventChartText.byState}
        </Text>
        <ul className={classes.legend}>
          {series.map((each) => (
            <LegendEntry key={each.name} {...each} onFilter={props.onFilter} />
          ))}
        </ul>
      </Group>
      <Bars {...props} series={series} titleId={titleId} />
    </Box>
  )
}

function LegendEntry({ name, colour, state, only, filter, onFilter }: Series & Pick<ChartProps, 'onFilter'>) {
  const content = (
    <>
      <span className={classes.swatch} data-state={state} style={{ background: colour }} aria-hidden />
      {name}
    </>
  )
  return (
    <Text component="li" inherit lh="24px">
      {filter ? (
        <FilterLink c="dimmed" onClick={() => onFilter(filter)} {...hint(only)}>
          {content}
        </FilterLink>
      ) : (
        content
      )}
    </Text>
  )
}

export function FilterLink(props: AnchorProps & ComponentProps<'button'>) {
  // A button would break its words where the text around it breaks none.
  return <Anchor component="button" type="button" inherit style={{ whiteSpace: 'inherit' }} {...props} />
}

interface BarsProps extends ChartProps {
  /** Series of the stacked bars, from bottom to top; the state `none` is always at the bottom. */
  readonly series: readonly Series[]
  readonly titleId: string
}

/**
 * Each bar is in a button of full chart height, for pointer, keyboard (one tab stop, arrow keys between bars) and screen
 * reader. Several bars can be selected.
 */
function Bars({ data, zone, series, onFilter, titleId }: BarsProps) {
  const { buckets, unit } = data
  const { ref, width } = useElementSize<HTMLFieldSetElement>()
  const [stop, setStop] = useState(-1)
  const lines = linesBelow(Math.max(...buckets.map(({ total }) => total)))
  const ticks = tickTexts(data, zone)
  const filled = buckets.flatMap((bucket, place) => (bucket.total > 0 ? [{ bucket, place }] : []))
  const focusable = filled.find(({ place }) => place === stop) ?? filled.at(-1)
  const { range, handlers } = useBrush(buckets.length, (first, last) =>
    onFilter(momentsOf(spanOf(buckets, first, last))),
  )
  return (
    <div className={classes.area}>
      <fieldset
        ref={ref}
        aria-labelledby={titleId}
        className={classes.bars}
        style={{ gridTemplateColumns: `repeat(${buckets.length}, minmax(0, 1fr))` }}
        {...handlers}
      >
        {lines.map((line) => (
          <span
            key={line}
            className={classes.line}
            style={{ bottom: toPercent(line, lines.at(-1) ?? 1) }}
            aria-hidden
          >
            <span className={classes.value}>{number(line)}</span>
          </span>
        ))}
        {filled.map(({ bucket, place }) => (
          <Bar
            key={place}
            {...{ bucket, place, series }}
            top={lines.at(-1) ?? 1}
            text={spanText(bucket, unit, zone)}
            tabIndex={place === focusable?.place ? 0 : -1}
            onFocus={() => setStop(place)}
            onClick={() => onFilter(momentsOf(bucket))}
          />
        ))}
        {namedTicks(ticks, width).map((place) => (
          <span
            key={place}
            className={classes.tick}
            style={{ left: toPercent(place + 0.5, buckets.length) }}
            aria-hidden
          >
            {ticks[place]}
          </span>
        ))}
        {range && (
          <span
            className={classes.range}
            style={{ gridColumn: `${range.first + 1} / ${range.last + 2}` }}
            aria-hidden
          />
        )}
      </fieldset>
      <Announced className={classes.selected}>
        {range &&
          eventChartText.selected({
            span: spanText(spanOf(buckets, range.first, range.last), unit, zone),
            count: totalOf(buckets.slice(range.first, range.last + 1)),
          })}
      </Announced>
    </div>
  )
}

interface BarProps extends Pick<BarsProps, 'series'> {
  readonly bucket: Bucket
  readonly place: number
  /** Value at the top of the chart. */
  readonly top: number
  /** Time span, in words. */
  readonly text: string
  readonly tabIndex: number
  readonly onFocus: () => void
  readonly onClick: () => void
}

function Bar({ bucket, place, series, top, text, ...button }: BarProps) {
  const parts = series
    .map((each) => ({ ...each, value: each.valueOf(bucket) }))
    .filter(({ value }) => value > 0)
  const lines = [
    text,
    eventChartText.events({ count: bucket.total }),
    ...parts.map(({ name, value }) => eventChartText.line({ name, value: number(value) })),
  ]
  return (
    <button
      type="button"
      className={classes.bar}
      style={{ gridColumn: place + 1 }}
      data-place={place}
      aria-label={lines.join(', ')}
      {...hint([...lines, eventChartText.onlySpan].join('\n'))}
      {...button}
    >
      {parts.map(({ name, colour, state, value }) => (
        <span
          key={name}
          className={classes.part}
          data-state={state}
          style={{ height: toPercent(value, top), background: colour }}
        />
      ))}
    </button>
  )
}

const toPercent = (part: number, whole: number) => `${(part / whole) * 100}%`

/** Returns the whole-number values of the grid lines, from zero to the first round number that no bar exceeds. */
function linesBelow(highest: number): readonly number[] {
  const least = Math.max(highest / 3, 1)
  const power = 10 ** Math.floor(Math.log10(least))
  const isFit = (step: number) => step >= least && Number.isInteger(step)
  const step = [1, 2, 2.5, 5].map((each) => each * power).find(isFit) ?? 10 * power
  return Array.from({ length: Math.max(Math.ceil(highest / step), 1) + 1 }, (_, index) => index * step)
}

/** Returns the indices of the bars that get a time label: as many as fit legibly. */
function namedTicks(ticks: readonly string[], width: number): readonly number[] {
  const eachPx = width / ticks.length
  // Characters of this font size are about 7 px wide.
  const widestPx = 7 * Math.max(...ticks.map(({ length }) => length)) + 16
  const every = Math.ceil(widestPx / eachPx)
  if (!Number.isFinite(every)) return []
  return ticks.flatMap((_, place) => {
    const isWithin = (place + 0.5) * eachPx + widestPx / 2 <= width + 16
    return place % every === 0 && isWithin ? [place] : []
  })
}

function spanOf(buckets: readonly Bucket[], first: number, last: number): Span {
  const startMs = buckets[first]?.startMs ?? 0
  return { startMs, endMs: buckets[last]?.endMs ?? startMs }
}

/** Selection in progress: indices of its first and its current bar. `to` may be smaller than `from`. */
interface Selection {
  readonly from: number
  readonly to: number
}

/** Pointer movement below this many pixels counts as an unsteady click, not as a drag. */
const leastPx = 4

const rangeOf = ({ from, to }: Selection) => ({ first: Math.min(from, to), last: Math.max(from, to) })

/**
 * Selects adjacent bars: by dragging a pointer over them, or with Shift and the arrow keys, then Enter. The handlers
 * belong on the element that contains the bars, which are buttons with their index in `data-place`.
 * @param count Number of all bars, including those without a button.
 */
function useBrush(count: number, onTake: (first: number, last: number) => void) {
  const [selected, setSelected] = useState<Selection>()
  const pressed = useRef<{ readonly x: number; readonly place: number }>(undefined)
  const isDragged = useRef(false)

  const placeAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(Math.max(Math.floor(((clientX - left) / width) * count), 0), count - 1)
  }
  const take = (selection: Selection) => {
    setSelected(undefined)
    const { first, last } = rangeOf(selection)
    onTake(first, last)
  }
  const leave = () => {
    pressed.current = undefined
    setSelected(undefined)
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      isDragged.current = false
      setSelected(undefined)
      if (event.button === 0) pressed.current = { x: event.clientX, place: placeAt(event) }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!pressed.current) return
      if (!isDragged.current) {
        if (Math.abs(event.clientX - pressed.current.x) < leastPx) return
        isDragged.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }
      const next = { from: pressed.current.place, to: placeAt(event) }
      setSelected((before) => (before?.from === next.from && before.to === next.to ? before : next))
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const from = pressed.current?.place
      pressed.current = undefined
      if (isDragged.current && from !== undefined) take({ from, to: placeAt(event) })
    },
    onPointerCancel: leave,
    // The click at the end of a drag must not press the bar where the drag began.
    onClickCapture(event: MouseEvent) {
      if (isDragged.current) event.stopPropagation()
      else if (selected) {
        event.stopPropagation()
        take(selected)
      }
      isDragged.current = false
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key === 'Escape' && selected) {
        event.stopPropagation()
        return leave()
      }
      const next = moveFocus(event)
      if (next) setSelected(event.shiftKey ? { from: selected?.from ?? next.from, to: next.to } : undefined)
    },
    onBlur({ currentTarget, relatedTarget }: React.FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) leave()
    },
  }
  return { range: selected && rangeOf(selected), handlers }
}

/** Moves the focus between bars by arrow key, Home or End, skipping empty bars. */
function moveFocus(event: KeyboardEvent<HTMLElement>): Selection | undefined {
  const bars = [...event.currentTarget.querySelectorAll('button')]
  const at = bars.findIndex((bar) => bar === event.target)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key]
  if (to === undefined) return undefined
  event.preventDefault()
  const next = bars[Math.min(Math.max(to, 0), bars.length - 1)]
  next?.focus()
  return { from: Number(bars[at]?.dataset['place']), to: Number(next?.dataset['place']) }
}
