import { Box, Button, Code, Group, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, useParams, useRevalidator } from 'react-router'

import { RouteFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { maskEntity } from '../../domain/people/mask-entity.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { userPageText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'

const recordText = userPageText.record

export function UserRecordPage() {
  const { userId = '' } = useParams()
  const { data, dataUpdatedAt } = useSuspenseQuery(userQuery(userId))
  const { data: entities, dataUpdatedAt: entitiesReadAt } = useSuspenseQuery(entitiesQuery(userId))
  const { revalidate, state } = useRevalidator()
  const readAt = new Date(Math.min(dataUpdatedAt, entitiesReadAt)).toISOString()
  return (
    <>
      <Group gap="xs" pb={16}>
        <Text size="sm" c="dimmed" flex="1 1 320px">
          {recordText.body} ·{' '}
          {recordText.readAt.withElements({ time: <Timestamp value={readAt} mode="minute" /> })}
        </Text>
        <Button variant="default" loading={state === 'loading'} onClick={() => void revalidate()}>
          {recordText.again}
        </Button>
        <Button variant="default" component={Link} to={links.subjectAccess(userId)}>
          {recordText.access}
        </Button>
      </Group>
      <Json title={recordText.user} copyLabel={recordText.copyUser} value={data.user} />
      <Json
        title={recordText.entities({ count: entities.length })}
        copyLabel={recordText.copyEntities}
        value={entities.map(maskEntity)}
      />
    </>
  )
}

interface JsonProps {
  readonly title: string
  readonly copyLabel: string
  readonly value: unknown
}

function Json({ title, copyLabel, value }: JsonProps) {
  const titleId = useId()
  const json = JSON.stringify(value, null, 2)
  return (
    <Box component="section" aria-labelledby={titleId} pb={16}>
      <Group gap="xs" pb={4}>
        <Text component="h2" id={titleId} fw={600}>
          {title}
        </Text>
        <CopyButton value={json} label={copyLabel} />
      </Group>
      {/* Shown at full height instead of in a scrollable box, so that find-in-page can scroll to every match. */}
      <Code block p={12} lh={1.5} bg="var(--ds-surface)" style={{ whiteSpace: 'pre-wrap' }}>
        {json}
      </Code>
    </Box>
  )
}

export const RecordFailure = () => <RouteFailure title={userPageText.failed.record} />
