import { Box, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { IconChevronRight, IconZoomOut } from '@tabler/icons-react'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, use, useId, useState } from 'react'

import { put, sharedStorage } from '../../../auth/storage.ts'
import { QueryFailure } from '../../../domain/failures/InlineFailure.tsx'
import { eventChartText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { hourMs } from '../../../ui/moments.tsx'
import { SkeletonBar } from '../../../ui/skeletons/SkeletonRows.tsx'
import type { Zones } from '../../../ui/time.ts'
import { useNowMs, ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EventFilter } from '../log/filter.ts'
import type { LogView } from '../log/use-event-log.ts'
import { type Buckets, type Counting, countingOf, eventCountsQuery, presetNames, totalOf } from './buckets.ts'
import { ChartTable } from './ChartTable.tsx'
import { type ChartProps, Plot } from './Plot.tsx'
import { spanText } from './spans.ts'
import classes from './EventChart.module.css'

// Storage keys of display preferences; these contain no personal data.
const stateKey = 'data-store.event-charts'
const timeKey = `${stateKey}.time`
const viewKey = `${stateKey}.by`

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
const initialState = () =>
  matchMedia('(min-width: 641px) and (min-height: 840px)').matches ? 'bars' : 'closed'

/** Events over time by type or by delivery. Pressing a bar, or dragging over bars, sets the time span of the filter. */
export function EventChart({ filter, show }: Pick<LogView, 'filter' | 'show'>) {
  const [state, setState] = useStoredChoice(stateKey, ['bars', 'closed'], initialState())
  const [preset, setPreset] = useStoredChoice(timeKey, presetNames, 'month')
  const [view, setView] = useStoredChoice(viewKey, chartViews, 'type')
  const isOpen = state !== 'closed'
  const bodyId = useId()
  const { shown: zone } = use(ZonesContext)
  const hour = Math.floor(useNowMs() / hourMs) * hourMs
  const counting = countingOf(filter, preset, hour, zone)
  const counts = useQuery({ ...eventCountsQuery(counting), enabled: isOpen })
  // The pressed bar, which had the focus, is gone.
  const [isBarPressed, setBarPressed] = useState(false)
  const onFilter = (change: EventFilter) => {
    setBarPressed(change.from !== undefined)
    show({ ...filter, ...change })
  }
  const widen = () => onFilter({ from: undefined, to: undefined })
  if (!counting)
    return (
      <Text size="sm" c="dimmed" mb="md">
        {eventChartText.uncounted}
      </Text>
    )
  const { from, to } = filter
  return (
    <Stack
      component="section"
      aria-label={eventChartText.label}
      className={classes.root ?? ''}
      gap="xs"
      mb="md"
      fz="sm"
    >
      <ChartHead isOpen={isOpen} onToggle={() => setState(isOpen ? 'closed' : 'bars')} bodyId={bodyId}>
        <Text span size="sm" c="dimmed" flex="1 0 auto" maw="100%">
          {countedIn(counting, counts, zone)}
        </Text>
        {(from ?? to) !== undefined && (
          <Toggle
            key={`${from} ${to}`}
            ref={isBarPressed ? focusOn : undefined}
            leftSection={<IconZoomOut {...headIcon} />}
            onClick={widen}
            {...hint(eventChartText.zoomOutHint)}
          >
            {eventChartText.zoomOut}
          </Toggle>
        )}
        <ToggleGroup
          label={eventChartText.views}
          names={eventChartText.view}
          options={chartViews}
          chosen={view}
          onChoose={setView}
        />
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
      <div id={bodyId} hidden={!isOpen} className={classes.body} aria-busy={counts.isPlaceholderData}>
        {isOpen && <ChartBody {...{ counts, view, zone, onFilter }} />}
      </div>
    </Stack>
  )
}

const focusOn = (button: HTMLElement | null) => button?.focus({ preventScroll: true })

interface ChartBodyProps extends Omit<ChartProps, 'data'> {
  readonly counts: UseQueryResult<Buckets>
  readonly view: ChartView
}

function ChartBody({ counts, view, ...bars }: ChartBodyProps) {
  const { data, error } = counts
  if (!data && error) return <QueryFailure title={eventChartText.failed} query={counts} />
  if (!data) return <SkeletonBar height="var(--plot-block)" />
  if (totalOf(data.buckets) === 0)
    return (
      <p className="ds-dimmed" data-none>
        {eventChartText.nothing}
      </p>
    )
  if (view === 'table') return <ChartTable data={data} {...bars} />
  return <Plot data={data} division={view} {...bars} />
}

const headIcon = { size: 14, stroke: 1.75, 'aria-hidden': true }

const chartViews = ['type', 'delivery', 'table'] as const
type ChartView = (typeof chartViews)[number]

/** Tells the number of events in the chart, once they are counted, and their span. */
function countedIn(
  { edges, unit }: Counting,
  { data, isPlaceholderData }: UseQueryResult<Buckets>,
  zone: Zones['shown'],
) {
  const span = spanText({ startMs: edges[0] ?? 0, endMs: edges.at(-1) ?? 0 }, unit, zone)
  return data && !isPlaceholderData ? eventChartText.counted({ count: totalOf(data.buckets), span }) : span
}

interface ChartHeadProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** Id of the element that holds the chart, for `aria-controls`. */
  readonly bodyId: string
  /** Summary and choices, shown while the chart is open. */
  readonly children: ReactNode
}

function ChartHead({ isOpen, onToggle, bodyId, children }: ChartHeadProps) {
  return (
    <Group gap="4px 12px">
      <Box component="h2" ms={-8}>
        <Toggle
          leftSection={<IconChevronRight {...headIcon} className={classes.chevron} />}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={onToggle}
        >
          {eventChartText.title}
        </Toggle>
      </Box>
      {isOpen && children}
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
    <Group component="fieldset" aria-label={label} gap={0} m={0} ms="auto" p={0} bd={0}>
      {options.map((option) => (
        <Toggle key={option} aria-pressed={option === chosen} onClick={() => onChoose(option)}>
          {names[option]}
        </Toggle>
      ))}
    </Group>
  )
}
