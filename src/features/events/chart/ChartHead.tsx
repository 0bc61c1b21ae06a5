import { Box, Button, type ButtonProps, Group, Text } from '@mantine/core'
import { IconChevronRight, IconTable, IconZoomOut } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

import { eventChartText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { type Preset, presetNames } from './counts.ts'
import classes from './EventChart.module.css'
import { type Division, divisions } from './EventBars.tsx'
import type { useZoom } from './use-zoom.ts'

const headIcon = { size: 14, stroke: 1.75, 'aria-hidden': true }

export const chartViews = ['closed', 'bars', 'table'] as const
export type ChartView = (typeof chartViews)[number]

export interface ChartHeadProps {
  readonly view: ChartView
  readonly onShow: (view: ChartView) => void
  /** Id of the element that holds the chart, for `aria-controls`. */
  readonly bodyId: string
  readonly summary: string
  readonly summaryHint: string | undefined
  readonly zoom: ReturnType<typeof useZoom>
  readonly division: Division
  readonly onDivide: (division: Division) => void
  /** Choice of a time span; undefined if none can be chosen. */
  readonly times?: {
    /** Chosen preset; undefined if another span is shown. */
    readonly chosen: Preset | undefined
    readonly onChoose: (preset: Preset) => void
  }
}

export function ChartHead(props: ChartHeadProps) {
  const { view, onShow, bodyId, summary, summaryHint, division, onDivide, times } = props
  const { widen, widenRef } = props.zoom
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
          <Text span size="sm" c="dimmed" flex="1 0 auto" maw="100%" {...hint(summaryHint)}>
            {summary}
          </Text>
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
              onChoose={onDivide}
            />
          )}
          {times && (
            <ToggleGroup
              label={eventChartText.times}
              names={eventChartText.presets}
              options={presetNames}
              {...times}
            />
          )}
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
