import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { RecentAttempt } from '#contract/index.ts'
import { AttemptOutcome } from '../../domain/deliveries/AttemptOutcome.tsx'
import { eventTypeName } from '../../domain/event-type-name.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { webhookText } from '../../messages/index.ts'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { duration } from '../../ui/duration.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { takeFew } from '../../ui/show-more.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './WebhookPage.module.css'

const { attempts: attemptsText } = webhookText
/** Number of attempts shown at first. A button shows the rest, so that the content below stays in sight. */
const fewAttempts = 12

type Outcome = keyof typeof attemptsText.outcomes
const hasArrived = ({ error }: RecentAttempt) => error == null

export function RecentAttempts({ query }: { readonly query: UseQueryResult<readonly RecentAttempt[]> }) {
  const { data: every, error } = query
  const [all, setAll] = useState(false)
  const [wanted, setWanted] = useState<Outcome>('any')
  // A filter by outcome is pointless when all attempts have the same one.
  const isMixed = every?.some(hasArrived) === true && !every.every(hasArrived)
  const isChosen = isMixed && wanted !== 'any'
  const attempts = isChosen ? every.filter((each) => hasArrived(each) === (wanted === 'arrived')) : every
  const shown = all ? attempts : attempts && takeFew(attempts, fewAttempts)
  return (
    <Stack component="section" gap="xs">
      <Group justify="space-between" gap="xs">
        <Text component="h2" size="sm" fw={500} c="dimmed">
          {attemptsText.title}
        </Text>
        {isMixed && (
          <SegmentedControl
            size="xs"
            aria-label={attemptsText.columns.outcome}
            data={(['any', 'arrived', 'failed'] as const).map((value) => ({
              value,
              label: attemptsText.outcomes[value],
            }))}
            value={wanted}
            onChange={setWanted}
          />
        )}
      </Group>
      {attempts === undefined && error ? (
        <QueryFailure title={attemptsText.failed} query={query} />
      ) : (
        <DataTable
          label={attemptsText.label}
          columns={attemptColumns}
          rows={shown}
          rowKey={({ event, number: nth }) => `${event} ${nth}`}
          skeletonRows={4}
          empty={<EmptyState title={attemptsText.empty}>{attemptsText.emptyBody}</EmptyState>}
        />
      )}
      {attempts && shown && attempts.length > shown.length && (
        <Button variant="default" me="auto" onClick={() => setAll(true)}>
          {attemptsText.all({ count: attempts.length })}
        </Button>
      )}
    </Stack>
  )
}

const attemptColumns: readonly Column<RecentAttempt>[] = [
  {
    id: 'event',
    header: attemptsText.columns.event,
    cell: ({ event, type }) => (
      <Link to={links.event(event)} style={{ whiteSpace: 'normal' }} {...rowLink}>
        {eventTypeName(type) ?? <span className="ds-mono">{type}</span>}
      </Link>
    ),
  },
  {
    id: 'outcome',
    header: attemptsText.columns.outcome,
    width: '34%',
    tabletWidth: '184px',
    cell: ({ status, error, number: nth }) => (
      <span className={classes.outcome}>
        <AttemptOutcome status={status} error={error} />
        {nth > 1 && <span className="ds-dimmed">{attemptsText.again({ number: nth })}</span>}
      </span>
    ),
  },
  {
    id: 'latency',
    header: attemptsText.columns.latency,
    width: '76px',
    align: 'end',
    cell: ({ ms }) => (ms == null ? null : duration(ms)),
  },
  {
    id: 'time',
    header: attemptsText.columns.time,
    width: '88px',
    align: 'end',
    cell: ({ time }) => <Timestamp value={time} />,
  },
]
