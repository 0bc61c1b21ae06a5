import { Anchor, Box, Table } from '@mantine/core'
import type { ComponentProps } from 'react'

import { number } from '../../../messages/format.ts'
import { eventChartText, eventText, sharedText } from '../../../messages/index.ts'
import { duration } from '../../../ui/duration.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Bucket } from './buckets.ts'
import { type EventBarsProps, seriesByState, seriesByType } from './EventBars.tsx'
import { momentsOf, spanText } from './spans.ts'

const head = { scope: 'col', fw: 400, ta: 'end' } as const
const lagHeads = [eventChartText.half, eventChartText.most, eventText.notDelivered]

/** Figures of the bars, for people who cannot see them or need exact numbers. Newest first, like the list. */
export function ChartTable({ data, zone, onSpan, onType, onDelivery }: EventBarsProps) {
  const types = seriesByType(data.types, onType)
  const states = data.buckets[0]?.states && seriesByState(onDelivery)
  return (
    <Box
      component="section"
      tabIndex={0}
      aria-label={eventChartText.table}
      mah={208}
      bd="1px solid var(--ds-border)"
      bdrs="md"
      style={{ overflow: 'auto' }}
    >
      <Table
        aria-label={eventChartText.table}
        captionSide="top"
        stickyHeader
        borderColor="var(--ds-border)"
        tabularNums
        verticalSpacing={4}
        horizontalSpacing="sm"
        ta="end"
        style={{ whiteSpace: 'nowrap' }}
      >
        <Table.Caption ta="start" fz="xs" px="sm" pt={4} mb={4}>
          {states ? eventChartText.tableCounted : eventChartText.tableLoaded}
        </Table.Caption>
        <Table.Thead fz="xs" c="dimmed">
          <Table.Tr>
            <Table.Th {...head} ta="start">
              {eventChartText.span}
            </Table.Th>
            <Table.Th {...head}>{eventChartText.all}</Table.Th>
            {types.map(({ name, onPress }) => (
              <Table.Th key={name} {...head}>
                {onPress ? <FilterLink onClick={() => onPress()}>{name}</FilterLink> : name}
              </Table.Th>
            ))}
            {(states?.map(({ name }) => name) ?? lagHeads).map((name) => (
              <Table.Th key={name} {...head}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.buckets
            .filter(({ total }) => total > 0)
            .toReversed()
            .map((bucket) => (
              <Table.Tr key={bucket.startMs}>
                <Table.Th scope="row" fw={400}>
                  <FilterLink
                    onClick={() => onSpan(bucket)}
                    {...hint(eventChartText.exactly(momentsOf(bucket)))}
                  >
                    {spanText(bucket, data.unit, zone)}
                  </FilterLink>
                </Table.Th>
                <Table.Td>{number(bucket.total)}</Table.Td>
                {types.map(({ name, valueOf }) => (
                  <Table.Td key={name}>{number(valueOf(bucket))}</Table.Td>
                ))}
                <DeliveryCells bucket={bucket} states={states} onDelivery={onDelivery} />
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

interface DeliveryCellsProps extends Pick<EventBarsProps, 'onDelivery'> {
  readonly bucket: Bucket
  /** Series of the delivery states; undefined if the service does not count them. */
  readonly states: ReturnType<typeof seriesByState> | undefined
}

function DeliveryCells({ bucket, states, onDelivery }: DeliveryCellsProps) {
  const { lag, notDelivered } = bucket
  if (states)
    return states.map(({ name, valueOf, onPress }) => (
      <CountCell
        key={name}
        count={valueOf(bucket)}
        label={eventChartText.line({ name, value: number(valueOf(bucket)) })}
        onPress={() => onPress?.(bucket)}
      />
    ))
  return (
    <>
      <Table.Td>{lag ? duration(lag.halfMs) : sharedText.none}</Table.Td>
      <Table.Td>{lag ? duration(lag.mostMs) : sharedText.none}</Table.Td>
      <CountCell
        count={notDelivered}
        label={eventChartText.notDelivered({ count: notDelivered })}
        onPress={() => onDelivery({ delivered: 'false' }, bucket)}
      />
    </>
  )
}

interface CountCellProps {
  readonly count: number
  /** Accessible label; must contain the visible count. */
  readonly label: string
  readonly onPress: () => void
}

function CountCell({ count, label, onPress }: CountCellProps) {
  return (
    <Table.Td>
      {count === 0 ? (
        number(0)
      ) : (
        <FilterLink aria-label={label} onClick={onPress}>
          {number(count)}
        </FilterLink>
      )}
    </Table.Td>
  )
}

function FilterLink(props: ComponentProps<'button'>) {
  return <Anchor component="button" type="button" inherit {...props} />
}
