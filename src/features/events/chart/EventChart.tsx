import { Box, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { useThrottledValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import {
  type ComponentProps,
  type ReactNode,
  use,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { IconChevronRight, IconTable, IconZoomOut } from '@tabler/icons-react'

import type { Event } from '#contract/index.ts'
import { put, sharedStorage } from '../../../auth/storage.ts'
import { QueryFailure } from '../../../domain/failures/InlineFailure.tsx'
import { eventChartText } from '../../../messages/index.ts'
import { SkeletonBar } from '../../../ui/skeletons/SkeletonRows.tsx'
import { useNowMs, ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EventFilter } from '../log/filter.ts'
import type { LogView } from '../log/log.ts'
import { ChartTable } from './ChartTable.tsx'
import classes from './EventChart.module.css'
import { divisions, EventBars, type EventBarsProps } from './EventBars.tsx'
import { momentsOf, type Span, spanText } from './spans.ts'
import { bucketsOf, countingOf, countsQuery, type Preset, presetNames, refreshMs } from './buckets.ts'
import { hourMs } from '../../../ui/moments.tsx'
import { hint } from '../../../ui/Hint.tsx'

export interface EventChartProps extends LogView {
  /** Loaded events, in any order; undefined while the first ones load. */
  readonly rows: readonly Event[] | undefined
}

// Storage keys of display preferences; these contain no personal data.
const viewKey = 'data-store.event-charts'
const timeKey = `${viewKey}.time`
const divisionKey = `${viewKey}.by`

function useStoredChoice<Option extends string>(key: string, options: readonly Option[], fallback: Option) {
  const [chosen, setChosen] = useState(() => {
    const stored = sharedStorage?.getItem(key)
    return options.find((option) => option === stored) ?? fallback
  })
  const choose = (option: Option) => {
    setChosen(option)
    put(sharedStorage, key, option)
  }
  return [chosen, choose] as const
}

/** The bars are open at first only if the window is large enough. */
const initialView = () =>
  matchMedia('(min-width: 641px) and (min-height: 840px)').matches ? 'bars' : 'closed'

/** Events over time by type or by delivery. Pressing a bar filters; dragging over bars selects a time span. */
export function EventChart(props: EventChartProps) {
  const { rows, filter, show } = props
  const onFilter = (change: EventFilter) => show({ ...filter, ...change })
  const [view, setView] = useStoredChoice(viewKey, chartViews, initialView())
  const [preset, setPreset] = useStoredChoice(timeKey, presetNames, 'month')
  const [division, setDivision] = useStoredChoice(divisionKey, divisions, 'type')
  const open = view !== 'closed'
  const bodyId = useId()
  const { shown: zone } = use(ZonesContext)
  const chart = useChartData(props, preset, open)
  const { counting, read, isOld, data } = chart
  const { narrow, widen, widenRef } = useZoom(filter, onFilter)
  const handlers: Pick<EventBarsProps, 'onSpan' | 'onType' | 'onDelivery'> = {
    onSpan: narrow,
    onType: (type) => onFilter({ type }),
    onDelivery: (status, span) =>
      onFilter({ delivered: undefined, delivery: undefined, ...status, ...(span && momentsOf(span)) }),
  }
  // An empty list has no chart, unless zooming out is possible.
  if (rows?.length === 0 && !(counting && widen)) return null

  return (
    <Stack
      component="section"
      aria-label={eventChartText.label}
      className={classes.root ?? ''}
      gap="xs"
      mb="md"
      fz="sm"
    >
      <ChartHead view={view} onShow={setView} bodyId={bodyId}>
        <ChartSummary {...chart} />
        {widen && (
          <Toggle
            ref={widenRef}
            leftSection={<IconZoomOut {...headIcon} />}
            onClick={widen}
            {...hint(eventChartText.zoomOutHint)}
          >
            {eventChartText.zoomOut}
          </Toggle>
        )}
        {view === 'bars' && (
          <ToggleGroup
            label={eventChartText.divisions}
            names={eventChartText.division}
            options={divisions}
            chosen={division}
            onChoose={setDivision}
          />
        )}
        {counting && (
          <ToggleGroup
            label={eventChartText.times}
            names={eventChartText.presets}
            options={presetNames}
            chosen={filter.from === undefined ? preset : undefined}
            onChoose={(next) => {
              setPreset(next)
              if (filter.from !== undefined) onFilter({ from: undefined, to: undefined })
            }}
          />
        )}
      </ChartHead>
      <div id={bodyId} hidden={!open} className={classes.body} aria-busy={isOld}>
        {counting && !data && read.error ? (
          <QueryFailure title={eventChartText.failed} query={read} />
        ) : !data || data.buckets.length === 0 ? (
          open && <SkeletonBar height="var(--plot-block)" />
        ) : data.buckets.every(({ total }) => total === 0) ? (
          <p className="ds-dimmed">{eventChartText.nothing}</p>
        ) : view === 'table' ? (
          <ChartTable data={data} zone={zone} {...handlers} />
        ) : (
          <EventBars data={data} zone={zone} division={division} {...handlers} />
        )}
      </div>
    </Stack>
  )
}

/** Returns the data to chart: counts from the service if it can count this filter, otherwise of the loaded rows. */
function useChartData({ rows, filter, state, isFull }: EventChartProps, preset: Preset, open: boolean) {
  const { shown: zone } = use(ZonesContext)
  const hour = Math.floor(useNowMs() / hourMs) * hourMs
  const counting = isFull ? countingOf(filter, preset, hour, zone) : undefined
  const read = useQuery({
    ...countsQuery(counting),
    enabled: open && rows !== undefined && counting !== undefined,
    refetchInterval: state.tail !== 'off' && !state.isPaused && refreshMs,
  })
  const every = rows ?? noRows
  const throttled = useThrottledValue(every, 1000)
  const charted = useDeferredValue(every.length > manyRows ? throttled : every)
  const isLoaded = open && counting === undefined
  const loaded = useMemo(() => (isLoaded ? bucketsOf(charted, zone) : undefined), [isLoaded, charted, zone])
  // The disabled query still holds earlier counts as placeholder data; they are not stale data of this chart.
  const isOld = counting !== undefined && read.isPlaceholderData
  // Another filter would be counted by the service, so the text says what is counted here.
  const isOfLoaded = isFull && !counting
  return { counting, isOfLoaded, read, isOld, data: counting ? read.data : loaded }
}

const noRows: readonly Event[] = []

type Moments = Pick<EventFilter, 'from' | 'to'>

/** Span that was asked for, with the one that it was zoomed in from. */
interface Step extends Moments {
  readonly before?: Step
}

const isSameSpan = (one: Moments, other: Moments) => one.from === other.from && one.to === other.to

/** Zooms in by steps and out by the same steps; a span that came from a URL zooms out to the whole log. */
function useZoom({ from, to }: Moments, onChange: (moments: Moments) => void) {
  /** Button that zooms out. It takes the focus after zooming in, because the pressed bar is gone. */
  const widenRef = useRef<HTMLButtonElement>(null)
  const isNarrowed = useRef(false)
  /** Span that is shown, or requested and not shown yet, so that a second click continues from there. */
  const asked = useRef<Step>({ from, to })
  useEffect(() => {
    if (!isSameSpan(asked.current, { from, to })) asked.current = { from, to }
  }, [from, to])
  useEffect(() => {
    if (!isNarrowed.current || !widenRef.current) return
    isNarrowed.current = false
    widenRef.current.focus({ preventScroll: true })
  })

  const ask = (step: Step) => {
    asked.current = step
    onChange({ from: step.from, to: step.to })
  }
  return {
    narrow: (span: Span) => {
      const next = momentsOf(span)
      if (isSameSpan(next, asked.current)) return
      isNarrowed.current = true
      ask({ ...next, before: asked.current })
    },
    widen: from === undefined && to === undefined ? undefined : () => ask(asked.current.before ?? {}),
    widenRef,
  }
}

/** Number of rows from which counting takes a noticeable part of a frame: they are counted once per second. */
const manyRows = 5000

const headIcon = { size: 14, stroke: 1.75, 'aria-hidden': true }

const chartViews = ['closed', 'bars', 'table'] as const
type ChartView = (typeof chartViews)[number]

/** Tells the number of events in the chart and their span, as far as they are known. */
function ChartSummary({ counting, isOfLoaded, isOld, data }: ReturnType<typeof useChartData>) {
  const { shown: zone } = use(ZonesContext)
  const [startMs, endMs] = counting
    ? [counting.edges[0], counting.edges.at(-1)]
    : [data?.buckets[0]?.startMs, data?.buckets.at(-1)?.endMs]
  const span =
    startMs === undefined || endMs === undefined
      ? ''
      : spanText({ startMs, endMs }, counting?.unit ?? data?.unit ?? 'day', zone)
  const describe = isOfLoaded ? eventChartText.ofLoaded : counting && eventChartText.counted
  const count = data?.buckets.reduce((sum, { total }) => sum + total, 0)
  return (
    <Text
      span
      size="sm"
      c="dimmed"
      flex="1 0 auto"
      maw="100%"
      {...hint(isOfLoaded ? eventChartText.ofLoadedHint : undefined)}
    >
      {describe && span !== '' && count !== undefined && !isOld ? describe({ count, span }) : span}
    </Text>
  )
}

interface ChartHeadProps {
  readonly view: ChartView
  readonly onShow: (view: ChartView) => void
  /** Id of the element that holds the chart, for `aria-controls`. */
  readonly bodyId: string
  /** Summary and choices, shown while the chart is open. */
  readonly children: ReactNode
}

function ChartHead({ view, onShow, bodyId, children }: ChartHeadProps) {
  const open = view !== 'closed'
  return (
    <Group gap="4px 12px">
      <Box component="h2" ms={-8}>
        <Toggle
          leftSection={<IconChevronRight {...headIcon} className={classes.chevron} />}
          aria-expanded={open}
          aria-controls={bodyId}
          onClick={() => onShow(open ? 'closed' : 'bars')}
        >
          {eventChartText.title}
        </Toggle>
      </Box>
      {open && (
        <>
          {children}
          <Toggle
            leftSection={<IconTable {...headIcon} />}
            aria-pressed={view === 'table'}
            onClick={() => onShow(view === 'table' ? 'bars' : 'table')}
            {...hint(eventChartText.asTableHint)}
          >
            {eventChartText.asTable}
          </Toggle>
        </>
      )}
    </Group>
  )
}

function Toggle(props: ButtonProps & ComponentProps<'button'>) {
  const variant = props['aria-pressed'] === true ? 'light' : 'subtle'
  return <Button variant={variant} color="gray" size="compact-sm" {...props} />
}

interface ToggleGroupProps<Option extends string> {
  readonly label: string
  readonly names: Readonly<Record<Option, string>>
  readonly options: readonly Option[]
  readonly chosen: Option | undefined
  readonly onChoose: (option: Option) => void
}

function ToggleGroup<Option extends string>(props: ToggleGroupProps<Option>) {
  const { label, names, options, chosen, onChoose } = props
  return (
    <Group component="fieldset" aria-label={label} gap={0} m={0} p={0} bd={0}>
      {options.map((option) => (
        <Toggle key={option} aria-pressed={option === chosen} onClick={() => onChoose(option)}>
          {names[option]}
        </Toggle>
      ))}
    </Group>
  )
}
