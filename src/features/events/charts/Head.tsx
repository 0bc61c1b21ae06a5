import { IconChevronRight, IconTable, IconZoomOut } from '@tabler/icons-react'

import { eventText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { type Preset, presets } from './counts.ts'
import classes from './EventCharts.module.css'
import type { Zoom } from './use-zoom.ts'

const chartsText = eventText.charts
const icon = { size: 14, stroke: 1.75, 'aria-hidden': true }

export type View = 'closed' | 'bars' | 'table'

export interface HeadProps {
  readonly view: View
  readonly onShow: (view: View) => void
  /** Id of the element that holds the charts, for `aria-controls`. */
  readonly bodyId: string
  readonly summary: string
  readonly summaryHint: string | undefined
  readonly zoom: Zoom
  /** Choice of a time span; undefined if none can be chosen. */
  readonly times?: {
    /** Chosen preset; undefined if another span is shown. */
    readonly chosen: Preset | undefined
    readonly onChoose: (preset: Preset) => void
  }
}

/** Header of the charts: summary, time span and view. */
export function Head({
  view,
  onShow,
  bodyId,
  summary,
  summaryHint,
  zoom: { widen, widenRef },
  times,
}: HeadProps) {
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
          <IconChevronRight {...icon} className={classes.chevron} />
          {chartsText.title}
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
              {...hint(chartsText.zoomOutHint)}
            >
              <IconZoomOut {...icon} />
              {chartsText.zoomOut}
            </button>
          )}
          {times && (
            <fieldset className={classes.times} aria-label={chartsText.times}>
              {(Object.keys(presets) as Preset[]).map((preset) => (
                <button
                  key={preset}
                  type="button"
                  className={classes.toggle}
                  aria-pressed={preset === times.chosen}
                  onClick={() => times.onChoose(preset)}
                >
                  {chartsText.presets[preset]}
                </button>
              ))}
            </fieldset>
          )}
          <button
            type="button"
            className={classes.toggle}
            aria-pressed={view === 'table'}
            onClick={() => onShow(view === 'table' ? 'bars' : 'table')}
            {...hint(chartsText.asTableHint)}
          >
            <IconTable {...icon} />
            {chartsText.asTable}
          </button>
        </>
      )}
    </div>
  )
}
