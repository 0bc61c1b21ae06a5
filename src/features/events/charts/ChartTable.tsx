import { deliveryStates } from '#contract/index.ts'
import { number } from '../../../messages/format.ts'
import { eventLogText, eventText, sharedText } from '../../../messages/index.ts'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Bucket } from './buckets.ts'
import classes from './EventCharts.module.css'
import type { PlotsProps } from './Plots.tsx'
import { countOf, seriesOf } from './series.ts'
import { spanText } from './spans.ts'
import { momentsOf } from './use-zoom.ts'

const chartsText = eventText.charts
const stateText = eventLogText.filter.states
const lagHeads = [chartsText.half, chartsText.most, eventText.notDelivered]

/**
 * Figures of the charts as a table, for people who cannot see the bars or need exact numbers. Newest first, like the
 * list.
 */
export function ChartTable({ data, zone, onSpan, onType, onStanding }: PlotsProps) {
  const isCounted = data.buckets[0]?.states !== undefined
  const series = seriesOf(data.types)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={classes.tableBox} tabIndex={0} aria-label={chartsText.table}>
      <table className={classes.table} aria-label={chartsText.table}>
        <caption>{isCounted ? chartsText.tableCounted : chartsText.tableLoaded}</caption>
        <thead>
          <tr>
            <th scope="col">{chartsText.span}</th>
            <th scope="col">{chartsText.all}</th>
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
            {(isCounted ? deliveryStates.map((state) => stateText[state]) : lagHeads).map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
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
                    {...hint(chartsText.exactly(momentsOf(bucket)))}
                  >
                    {spanText(bucket, data.unit, zone)}
                  </button>
                </th>
                <td>{number(bucket.total)}</td>
                {series.map((each) => (
                  <td key={each.name}>{number(countOf(bucket, each))}</td>
                ))}
                <Standing bucket={bucket} onStanding={onStanding} />
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}

function Standing({ bucket, onStanding }: { readonly bucket: Bucket } & Pick<PlotsProps, 'onStanding'>) {
  const { states, lag, notDelivered } = bucket
  if (states)
    return deliveryStates.map((state) => (
      <Count
        key={state}
        count={states[state]}
        label={chartsText.line(stateText[state], number(states[state]))}
        onPress={() => onStanding({ delivery: state }, bucket)}
      />
    ))
  return (
    <>
      <td>{lag ? duration(lag.halfMs) : sharedText.none}</td>
      <td>{lag ? duration(lag.mostMs) : sharedText.none}</td>
      <Count
        count={notDelivered}
        label={chartsText.notDelivered(notDelivered)}
        onPress={() => onStanding({ delivered: false }, bucket)}
      />
    </>
  )
}

interface CountProps {
  readonly count: number
  /** Begins with what is counted. */
  readonly label: string
  readonly onPress: () => void
}

function Count({ count, label, onPress }: CountProps) {
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
