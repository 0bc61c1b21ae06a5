import { Box, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, use, useEffect, useId, useRef, useState } from 'react'
import { IconChevronRight, IconTable, IconZoomOut } from '@tabler/icons-react'

import { put, sharedStorage } from '../../../auth/storage.ts'
import { QueryFailure } from '../../../domain/failures/InlineFailure.tsx'
import { eventChartText } from '../../../messages/index.ts'
import { SkeletonBar } from '../../../ui/skeletons/SkeletonRows.tsx'
import { useNowMs, ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EventFilter } from '../filter.ts'
import type { LogView } from '../use-event-log.ts'
import { ChartTable } from './ChartTable.tsx'
import classes from './EventChart.module.css'
import { type Division, divisions, EventBars, type EventBarsProps } from './EventBars.tsx'
import { momentsOf, spanText } from './spans.ts'
import { type Buckets, type Counting, countingOf, countsQuery, presetNames } from './buckets.ts'
import { hourMs } from '../../../ui/moments.tsx'
import { hint } from '../../../ui/Hint.tsx'

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

/** Events over time by type or by delivery. Pressing a bar, or dragging over bars, sets the time span of the filter. */
export function EventChart({ filter, show }: Pick<LogView, 'filter' | 'show'>) {
  const onFilter = (change: EventFilter) => show({ ...filter, ...change })
  const [view, setView] = useStoredChoice(viewKey, chartViews, initialView())
  const [preset, setPreset] = useStoredChoice(timeKey, presetNames, 'month')
  const [division, setDivision] = useStoredChoice(divisionKey, divisions, 'type')
  const open = view !== 'closed'
  const bodyId = useId()
  const { shown: zone } = use(ZonesContext)
  const hour = Math.floor(useNowMs() / hourMs) * hourMs
  const counting = countingOf(filter, preset, hour, zone)
  const counts = useQuery({ ...countsQuery(counting), enabled: open && counting !== undefined })
  const { from, to } = filter
  const isSpan = from !== undefined || to !== undefined
  const [isBrushed, setBrushed] = useState(false)
  const widen = () => {
    setBrushed(false)
    onFilter({ from: undefined, to: undefined })
  }
  const { data, isPlaceholderData: isOld } = counts
  const handlers: Pick<EventBarsProps, 'onSpan' | 'onType' | 'onDelivery'> = {
    onSpan: (span) => {
      setBrushed(true)
      onFilter(momentsOf(span))
    },
    onType: (type) => onFilter({ type }),
    onDelivery: (delivery, span) =>
      onFilter({ delivered: undefined, delivery, ...(span && momentsOf(span)) }),
  }
  if (!counting)
    return (
      <Text size="sm" c="dimmed" mb="md">
        {eventChartText.uncounted}
      </Text>
    )

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
        <ChartSummary counting={counting} data={isOld ? undefined : data} />
        {isSpan && <ZoomOut key={from} takesFocus={isBrushed} onClick={widen} />}
        {view === 'bars' && (
          <ToggleGroup
            label={eventChartText.divisions}
            names={eventChartText.division}
            options={divisions}
            chosen={division}
            onChoose={setDivision}
          />
        )}
        <ToggleGroup
          label={eventChartText.times}
          names={eventChartText.presets}
          options={presetNames}
          chosen={from === undefined ? preset : undefined}
          onChoose={(next) => {
            setPreset(next)
            if (from !== undefined) widen()
          }}
        />
      </ChartHead>
      <div id={bodyId} hidden={!open} className={classes.body} aria-busy={isOld}>
        {open && <ChartBody {...{ counts, view, zone, division, ...handlers }} />}
      </div>
    </Stack>
  )
}

interface ZoomOutProps {
  readonly onClick: () => void
  /** Whether the button gets the focus: the pressed bar, which had it, is gone. */
  readonly takesFocus: boolean
}

function ZoomOut({ takesFocus, onClick }: ZoomOutProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <Toggle
      ref={button}
      leftSection={<IconZoomOut {...headIcon} />}
      onClick={onClick}
      {...hint(eventChartText.zoomOutHint)}
    >
      {eventChartText.zoomOut}
    </Toggle>
  )
}

interface ChartBodyProps extends Omit<EventBarsProps, 'data'> {
  readonly counts: UseQueryResult<Buckets>
  readonly view: ChartView
  readonly division: Division
}

function ChartBody({ counts, view, division, ...bars }: ChartBodyProps) {
  const { data, error } = counts
  if (!data && error) return <QueryFailure title={eventChartText.failed} query={counts} />
  if (!data) return <SkeletonBar height="var(--plot-block)" />
  if (data.buckets.every(({ total }) => total === 0))
    return <p className="ds-dimmed">{eventChartText.nothing}</p>
  if (view === 'table') return <ChartTable data={data} {...bars} />
  return <EventBars data={data} division={division} {...bars} />
}

const headIcon = { size: 14, stroke: 1.75, 'aria-hidden': true }

const chartViews = ['closed', 'bars', 'table'] as const
type ChartView = (typeof chartViews)[number]

interface ChartSummaryProps {
  readonly counting: Counting
  /** Counts of the span; undefined until they are loaded. */
  readonly data: Buckets | undefined
}

/** Tells the number of events in the chart and their span. */
function ChartSummary({ counting: { edges, unit }, data }: ChartSummaryProps) {
  const { shown: zone } = use(ZonesContext)
  const span = spanText({ startMs: edges[0] ?? 0, endMs: edges.at(-1) ?? 0 }, unit, zone)
  const count = data?.buckets.reduce((sum, { total }) => sum + total, 0)
  return (
    <Text span size="sm" c="dimmed" flex="1 0 auto" maw="100%">
      {count === undefined ? span : eventChartText.counted({ count, span })}
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
