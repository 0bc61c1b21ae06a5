import { Anchor, Box, Table } from '@mantine/core'
import type { ComponentProps } from 'react'

import { number } from '../../../messages/format.ts'
import { eventChartText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import type { Bucket } from './buckets.ts'
import { type EventBarsProps, seriesByState, seriesByType } from './EventBars.tsx'
import type { PlottedSeries } from './Plot.tsx'
import { momentsOf, spanText, type Unit } from './spans.ts'

const head = { scope: 'col', fw: 400, ta: 'end' } as const

/** Figures of the bars, for people who cannot see them or need exact numbers. Newest first, like the list. */
export function ChartTable({ data, zone, onSpan, onType, onDelivery }: EventBarsProps) {
  const types = seriesByType(data.types, onType)
  const states = seriesByState(onDelivery)
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
          {eventChartText.tableCaption}
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
            {states.map(({ name }) => (
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
              <BucketRow key={bucket.startMs} {...{ bucket, types, states, zone, onSpan }} unit={data.unit} />
            ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

interface BucketRowProps extends Pick<EventBarsProps, 'zone' | 'onSpan'> {
  readonly bucket: Bucket
  readonly unit: Unit
  readonly types: readonly PlottedSeries[]
  readonly states: readonly PlottedSeries[]
}

function BucketRow({ bucket, unit, types, states, zone, onSpan }: BucketRowProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <FilterLink onClick={() => onSpan(bucket)} {...hint(eventChartText.exactly(momentsOf(bucket)))}>
          {spanText(bucket, unit, zone)}
        </FilterLink>
      </Table.Th>
      <Table.Td>{number(bucket.total)}</Table.Td>
      {types.map(({ name, valueOf }) => (
        <Table.Td key={name}>{number(valueOf(bucket))}</Table.Td>
      ))}
      {states.map(({ name, valueOf, onPress }) => (
        <Table.Td key={name}>
          {valueOf(bucket) === 0 ? (
            number(0)
          ) : (
            <FilterLink
              aria-label={eventChartText.line({ name, value: number(valueOf(bucket)) })}
              onClick={() => onPress?.(bucket)}
            >
              {number(valueOf(bucket))}
            </FilterLink>
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

function FilterLink(props: ComponentProps<'button'>) {
  return <Anchor component="button" type="button" inherit {...props} />
}
