import { number } from '../../../messages/format.ts'
import { eventText, sharedText } from '../../../messages/index.ts'
import { duration } from '../../../ui/duration.ts'
import type { Bucket } from './buckets.ts'
import classes from './EventCharts.module.css'
import type { PlotsProps } from './Plots.tsx'
import { countOf, seriesOf } from './series.ts'
import { spanText } from './spans.ts'

const text = eventText.charts

interface ChartTableProps extends PlotsProps {
  readonly onNotDelivered: (bucket: Bucket) => void
}

/** What the bars show, in figures: for who cannot see them, or wants them exactly. Newest first, like the list. */
export function ChartTable({ data, zone, onSpan, onType, onNotDelivered }: ChartTableProps) {
  const series = seriesOf(data.types)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={classes.tableBox} tabIndex={0} aria-label={text.table}>
      <table className={classes.table} aria-label={text.table}>
        <thead>
          <tr>
            <th scope="col">{text.span}</th>
            <th scope="col">{text.all}</th>
            {series.map(({ name, types: [type = '', ...others] }) => (
              <th key={name} scope="col">
                {others.length > 0 ? (
                  name
                ) : (
                  <button type="button" className={classes.link} onClick={() => onType(type)}>
                    {name}
                  </button>
                )}
              </th>
            ))}
            <th scope="col">{text.half}</th>
            <th scope="col">{text.most}</th>
            <th scope="col">{eventText.notDelivered}</th>
          </tr>
        </thead>
        <tbody>
          {data.buckets
            .filter(({ total }) => total > 0)
            .toReversed()
            .map((bucket) => (
              <tr key={bucket.startMs}>
                <th scope="row">
                  <button type="button" className={classes.link} onClick={() => onSpan(bucket)}>
                    {spanText(bucket, data.unit, zone)}
                  </button>
                </th>
                <td>{number(bucket.total)}</td>
                {series.map((each) => (
                  <td key={each.name}>{number(countOf(bucket, each))}</td>
                ))}
                <td>{bucket.lag ? duration(bucket.lag.halfMs) : sharedText.none}</td>
                <td>{bucket.lag ? duration(bucket.lag.mostMs) : sharedText.none}</td>
                <td>
                  {bucket.notDelivered === 0 ? (
                    number(0)
                  ) : (
                    <button
                      type="button"
                      className={classes.link}
                      aria-label={text.notDelivered(bucket.notDelivered)}
                      onClick={() => onNotDelivered(bucket)}
                    >
                      {number(bucket.notDelivered)}
                    </button>
                  )}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
