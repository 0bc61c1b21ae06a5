import { IconChevronRight, IconTable, IconZoomOut } from '@tabler/icons-react'

import { eventChartText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { type Preset, presets } from './counts.ts'
import classes from './EventChart.module.css'
import { type Division, divisions } from './EventBars.tsx'
import type { Zoom } from './use-zoom.ts'

const headIcon = { size: 14, stroke: 1.75, 'aria-hidden': true }

export type ChartView = 'closed' | 'bars' | 'table'

export interface ChartHeadProps {
  readonly view: ChartView
  readonly onShow: (view: ChartView) => void
  /** Id of the element that holds the chart, for `aria-controls`. */
  readonly bodyId: string
  readonly summary: string
  readonly summaryHint: string | undefined
  readonly zoom: Zoom
  /** Property that the bars are divided by. */
  readonly division: Division
  readonly onDivide: (division: Division) => void
  /** Choice of a time span; undefined if none can be chosen. */
  readonly times?: {
    /** Chosen preset; undefined if another span is shown. */
    readonly chosen: Preset | undefined
    readonly onChoose: (preset: Preset) => void
  }
}

/** Header of the chart: summary, time span and view. */
export function ChartHead({
  view,
  onShow,
  bodyId,
  summary,
  summaryHint,
  zoom: { widen, widenRef },
  division,
  onDivide,
  times,
}: ChartHeadProps) {
  const open = view !== 'closed'
  return (
    <div className={classes.head}>
      <h2 className={classes.heading}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={bodyId}
          onClick={() => onShow(open ? 'closed' : 'bars')}
        >
          <IconChevronRight {...headIcon} className={classes.chevron} />
          {eventChartText.title}
        </button>
      </h2>
      {open && (
        <>
          <span className={classes.span} {...hint(summaryHint)}>
            {summary}
          </span>
          {widen && (
            <button
              ref={widenRef}
              type="button"
              className={classes.toggle}
              onClick={widen}
              {...hint(eventChartText.zoomOutHint)}
            >
              <IconZoomOut {...headIcon} />
              {eventChartText.zoomOut}
            </button>
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
              options={Object.keys(presets) as Preset[]}
              {...times}
            />
          )}
          <button
            type="button"
            className={classes.toggle}
            aria-pressed={view === 'table'}
            onClick={() => onShow(view === 'table' ? 'bars' : 'table')}
            {...hint(eventChartText.asTableHint)}
          >
            <IconTable {...headIcon} />
            {eventChartText.asTable}
          </button>
        </>
      )}
    </div>
  )
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
    <fieldset className={classes.choices} aria-label={label}>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          className={classes.toggle}
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
        >
          {names[option]}
        </button>
      ))}
    </fieldset>
  )
}
