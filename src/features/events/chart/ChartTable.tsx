import { Box, Table } from '@mantine/core'

import { eventChartText } from '../../../messages/index.ts'
import { number } from '../../../messages/language/format.ts'
import { hint } from '../../../ui/Hint.tsx'
import { type ChartProps, FilterLink } from './Plot.tsx'
import { seriesByState, seriesByType } from './series.ts'
import { momentsOf, spanText } from './spans.ts'

const head = { scope: 'col', fw: 400, ta: 'end' } as const

/** Figures of the bars, for people who cannot see them or need exact numbers. Newest first, like the list. */
export function ChartTable({ data, zone, onFilter }: ChartProps) {
  const series = [...seriesByType(data.types), ...seriesByState]
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
            {series.map(({ name, filter }) => (
              <Table.Th key={name} {...head}>
                {filter ? <FilterLink onClick={() => onFilter(filter)}>{name}</FilterLink> : name}
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
                    onClick={() => onFilter(momentsOf(bucket))}
                    {...hint(eventChartText.exactly(momentsOf(bucket)))}
                  >
                    {spanText(bucket, data.unit, zone)}
                  </FilterLink>
                </Table.Th>
                <Table.Td>{number(bucket.total)}</Table.Td>
                {series.map((each) => {
                  const value = number(each.valueOf(bucket))
                  return (
                    <Table.Td key={each.name}>
                      {each.state === undefined || each.valueOf(bucket) === 0 ? (
                        value
                      ) : (
                        <FilterLink
                          aria-label={eventChartText.line({ name: each.name, value })}
                          onClick={() => onFilter({ ...each.filter, ...momentsOf(bucket) })}
                        >
                          {value}
                        </FilterLink>
                      )}
                    </Table.Td>
                  )
                })}
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
