import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'

import type { RecentAttempt } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { eventTypeText, webhookText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import { AttemptOutcome } from '../../domain/deliveries/AttemptOutcome.tsx'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { duration } from '../../ui/duration.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { fewOf } from '../../ui/few-of.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'

const { tries: tryText } = webhookText
/** Number of attempts shown at first; a button shows the rest, so that what follows stays in sight. */
const fewTries = 12

export interface TriesProps {
  /** `undefined` while they are loaded. */
  readonly attempts: readonly RecentAttempt[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
}

type Outcome = keyof typeof tryText.outcomes
const hasArrived = ({ error }: RecentAttempt) => error == null

/** The last tries of all its deliveries. */
export function Tries({ attempts: every, error, onRetry }: TriesProps) {
  const [all, setAll] = useState(false)
  const [wanted, setWanted] = useState<Outcome>('any')
  // A filter by outcome is pointless when all attempts have the same one.
  const isMixed = every?.some(hasArrived) === true && !every.every(hasArrived)
  const isChosen = isMixed && wanted !== 'any'
  const attempts = isChosen ? every.filter((each) => hasArrived(each) === (wanted === 'arrived')) : every
  const shown = all ? attempts : attempts && fewOf(attempts, fewTries)
  return (
    <Stack component="section" gap="xs">
      <Group justify="space-between" gap="xs">
        <Text component="h2" size="sm" fw={500} c="dimmed">
          {tryText.title}
        </Text>
        {isMixed && (
          <SegmentedControl
            size="xs"
            aria-label={tryText.columns.outcome}
            data={(['any', 'arrived', 'failed'] as const).map((value) => ({
              value,
              label: tryText.outcomes[value],
            }))}
            value={wanted}
            onChange={setWanted}
          />
        )}
      </Group>
      {attempts === undefined && error ? (
        <InlineFailure title={tryText.failed} error={error} onRetry={onRetry} />
      ) : (
        <DataTable
          label={tryText.label}
          columns={columns}
          rows={shown}
          rowKey={({ event, number: nth }) => `${event} ${nth}`}
          skeletonRows={4}
          empty={<EmptyState title={tryText.empty}>{tryText.emptyBody}</EmptyState>}
        />
      )}
      {attempts && shown && attempts.length > shown.length && (
        <Button variant="default" me="auto" onClick={() => setAll(true)}>
          {tryText.all(attempts.length)}
        </Button>
      )}
    </Stack>
  )
}

const columns: readonly Column<RecentAttempt>[] = [
  {
    id: 'event',
    header: tryText.columns.event,
    cell: ({ event, type }) => (
      <Link to={links.event(event)} {...rowLink}>
        {eventTypeText(type) ?? <span className="ds-mono">{type}</span>}
      </Link>
    ),
  },
  {
    id: 'outcome',
    header: tryText.columns.outcome,
    width: '34%',
    cell: (row) => <AttemptOutcome status={row.status} error={row.error} />,
  },
  {
    id: 'latency',
    header: tryText.columns.latency,
    width: '76px',
    align: 'end',
    cell: ({ ms }) => (ms == null ? null : duration(ms)),
  },
  {
    id: 'number',
    header: tryText.columns.number,
    width: '56px',
    align: 'end',
    narrow: 'labelled',
    cell: (row) => number(row.number),
  },
  {
    id: 'time',
    header: tryText.columns.time,
    width: '88px',
    align: 'end',
    cell: ({ time }) => <Timestamp value={time} />,
  },
]
