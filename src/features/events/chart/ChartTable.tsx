import { deliveryStates } from '#contract/index.ts'
import { number } from '../../../messages/format.ts'
import { eventChartText, eventFilterText, eventText, sharedText } from '../../../messages/index.ts'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Bucket } from './buckets.ts'
import classes from './EventChart.module.css'
import type { EventBarsProps } from './EventBars.tsx'
import { countInSeries, seriesOf } from './series.ts'
import { spanText } from './spans.ts'
import { momentsOf } from './use-zoom.ts'

const lagHeads = [eventChartText.half, eventChartText.most, eventText.notDelivered]

/**
 * Figures of the charts as a table, for people who cannot see the bars or need exact numbers. Newest first, like the
 * list.
 */
export function ChartTable({ data, zone, onSpan, onType, onDelivery }: EventBarsProps) {
  const isCounted = data.buckets[0]?.states !== undefined
  const series = seriesOf(data.types)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={classes.tableBox} tabIndex={0} aria-label={eventChartText.table}>
      <table className={classes.table} aria-label={eventChartText.table}>
        <caption>{isCounted ? eventChartText.tableCounted : eventChartText.tableLoaded}</caption>
        <thead>
          <tr>
            <th scope="col">{eventChartText.span}</th>
            <th scope="col">{eventChartText.all}</th>
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
            {(isCounted ? deliveryStates.map((state) => eventFilterText.states[state]) : lagHeads).map(
              (head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {data.buckets
            .filter(({ total }) => total > 0)
            .toReversed()
            .map((bucket) => (
              <tr key={bucket.startMs}>
                <th scope="row">
                  <button
                    type="button"
                    className={classes.link}
                    onClick={() => onSpan(bucket)}
                    {...hint(eventChartText.exactly(momentsOf(bucket)))}
                  >
                    {spanText(bucket, data.unit, zone)}
                  </button>
                </th>
                <td>{number(bucket.total)}</td>
                {series.map((each) => (
                  <td key={each.name}>{number(countInSeries(bucket, each))}</td>
                ))}
                <DeliveryCells bucket={bucket} onDelivery={onDelivery} />
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}

function DeliveryCells({
  bucket,
  onDelivery,
}: { readonly bucket: Bucket } & Pick<EventBarsProps, 'onDelivery'>) {
  const { states, lag, notDelivered } = bucket
  if (states)
    return deliveryStates.map((state) => (
      <CountCell
        key={state}
        count={states[state]}
        label={eventChartText.line({ name: eventFilterText.states[state], value: number(states[state]) })}
        onPress={() => onDelivery({ delivery: state }, bucket)}
      />
    ))
  return (
    <>
      <td>{lag ? duration(lag.halfMs) : sharedText.none}</td>
      <td>{lag ? duration(lag.mostMs) : sharedText.none}</td>
      <CountCell
        count={notDelivered}
        label={eventChartText.notDelivered({ count: notDelivered })}
        onPress={() => onDelivery({ delivered: false }, bucket)}
      />
    </>
  )
}

interface CountCellProps {
  readonly count: number
  /** Accessible label; must begin with the visible count. */
  readonly label: string
  readonly onPress: () => void
}

function CountCell({ count, label, onPress }: CountCellProps) {
  return (
    <td>
      {count === 0 ? (
        number(0)
      ) : (
        <button type="button" className={classes.link} aria-label={label} onClick={onPress}>
          {number(count)}
        </button>
      )}
    </td>
  )
}
