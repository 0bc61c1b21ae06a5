import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { SubscriptionHealth } from '#contract/index.ts'
import { q } from '../../api/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { webhookText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { duration } from '../../ui/duration.ts'
import { hint } from '../../ui/Hint.tsx'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import { dateOf } from '../../ui/time.ts'
import classes from './Health.module.css'

const healthText = webhookText.health
type HealthDay = SubscriptionHealth['days'][number]

/** Shows the outcomes of the last days' attempts: one bar per day, a summary, and a table. */
export function Health({ id }: { readonly id: string }) {
  const { data, error, refetch, isFetching } = useQuery(q('getHealth', { params: { subscription_id: id } }))
  return (
    <Stack component="section" gap="xs" pb="lg" fz="sm" aria-label={healthText.title}>
      <Text component="h2" size="sm" fw={500} c="dimmed">
        {healthText.title}
      </Text>
      {data ? (
        <HealthReport health={data} />
      ) : error ? (
        <InlineFailure
          title={healthText.failed}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonBar height="72px" />
      )}
    </Stack>
  )
}

function HealthReport({
  health: { days, succeeded, failed, p50Ms, p95Ms },
}: {
  readonly health: SubscriptionHealth
}) {
  const most = Math.max(1, ...days.map((day) => day.succeeded + day.failed))
  const activeDays = days.filter((day) => day.succeeded + day.failed > 0)
  return (
    <>
      <div className={classes.strip} aria-hidden>
        {days.map((day) => (
          <span key={day.day} className={classes.day} {...hint(describeDay(day))}>
            <span className={classes.failed} style={{ height: barHeight(day.failed, most) }} />
            <span className={classes.succeeded} style={{ height: barHeight(day.succeeded, most) }} />
          </span>
        ))}
      </div>
      <p>
        {succeeded + failed === 0
          ? healthText.unused
          : healthText.succeeded({ share: shareOf(succeeded, failed), count: succeeded + failed })}
      </p>
      {typeof p50Ms === 'number' && typeof p95Ms === 'number' && (
        <p className="ds-dimmed">{healthText.answers({ half: duration(p50Ms), most: duration(p95Ms) })}</p>
      )}
      {activeDays.length > 0 && (
        <details>
          <summary>{healthText.asTable}</summary>
          <DataTable
            label={healthText.title}
            columns={dayColumns}
            rows={activeDays.toReversed()}
            rowKey={({ day }) => day}
            empty={null}
          />
        </details>
      )}
    </>
  )
}

/** Returns the CSS height of a bar: at least 3px, so that a single attempt among thousands is visible. */
const barHeight = (count: number, most: number) =>
  count === 0 ? '0' : `max(3px, ${((count / most) * 100).toFixed(1)}%)`

/** Returns the share of successful attempts, rounded down, so that a single failure never shows as 100 %. */
const shareOf = (succeeded: number, failed: number) =>
  Math.floor((succeeded / (succeeded + failed)) * 1000) / 1000

function describeDay(day: HealthDay): string {
  const { succeeded, failed } = day
  return succeeded + failed === 0
    ? healthText.dayUnused({ day: dayName(day) })
    : healthText.day({ day: dayName(day), succeeded, failed })
}

const dayName = ({ day }: HealthDay) => dateOf(Date.parse(day), 'utc')

const dayColumns: readonly Column<HealthDay>[] = [
  { id: 'day', header: healthText.columns.day, cell: dayName },
  ...(['succeeded', 'failed'] as const).map((id): Column<HealthDay> => ({
    id,
    header: healthText.columns[id],
    width: '112px',
    align: 'end',
    narrow: 'labelled',
    cell: (day) => number(day[id]),
  })),
]
