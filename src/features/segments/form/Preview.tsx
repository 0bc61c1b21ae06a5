import { Box, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'

import type { Filter, User } from '#contract/index.ts'
import { ApiError } from '../../../api/index.ts'
import { links } from '../../../domain/links.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { segmentPreviewText } from '../../../messages/index.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { emailOf, nameOf } from '../../../domain/people/user-fields.ts'
import { userCountQuery } from '../../../domain/queries/users.ts'
import { previewQuery } from '../queries.ts'
import classes from './Preview.module.css'

/** Debounces the preview, so that nothing is counted between two keystrokes. */
const previewPauseMs = 350

export interface PreviewProps {
  /** Filter to preview; undefined while it is unfinished. */
  readonly filter: Filter | undefined
  readonly tz: string
}

/** Previews the users that a filter finds. A failure here does not prevent the segment from being saved. */
export function Preview(props: PreviewProps) {
  const mayNotRead = useDenied('users:read')
  const titleId = useId()
  return (
    <Box
      component="section"
      aria-labelledby={titleId}
      pt="md"
      fz="sm"
      style={{ borderTop: '1px solid var(--ds-border)' }}
    >
      <Title order={2} id={titleId} fz="sm" fw={500} c="dimmed" mb="xs">
        {segmentPreviewText.title}
      </Title>
      {mayNotRead !== undefined ? <p className="ds-dimmed">{mayNotRead}</p> : <Counted {...props} />}
    </Box>
  )
}

function Counted({ filter, tz }: PreviewProps) {
  const body = filter && { filter, tz }
  const request = body === undefined ? '' : JSON.stringify(body)
  const isSettled = useDebouncedValue(request, previewPauseMs) === request
  const { data, error, isFetching, isPlaceholderData, dataUpdatedAt, refetch } = useQuery({
    ...previewQuery(request, body),
    enabled: body !== undefined && isSettled,
    placeholderData: keepPreviousData,
  })
  const { data: everyone } = useQuery(userCountQuery(''))
  const isOld = isPlaceholderData || body === undefined
  const isAnswered = !isFetching && body !== undefined && isSettled
  const isSegmentOnly = error instanceof ApiError && error.code === 'sensitive_filter'

  return (
    <>
      {data && (
        <Stack gap="xs" className={classes.preview ?? ''} mod={{ old: isOld }}>
          <Text inherit style={{ fontVariantNumeric: 'tabular-nums' }}>
            {typeof everyone === 'number' ? (
              <span className="ds-dimmed">
                {segmentPreviewText.ofAll.withElements({ users: <Total {...data} />, all: everyone })}
              </span>
            ) : (
              <Total {...data} />
            )}
          </Text>
          <Users {...data} />
        </Stack>
      )}
      {isSegmentOnly && isAnswered ? (
        <p className="ds-dimmed">{segmentPreviewText.segmentOnly}</p>
      ) : error !== null && isAnswered ? (
        <InlineFailure
          title={segmentPreviewText.failed}
          error={error}
          own={{ kept: segmentPreviewText.failedBody }}
          onRetry={() => void refetch()}
        />
      ) : (
        // Reserves the height of two lines, so that the layout does not shift between states.
        <Text component="output" display="block" c="dimmed" fz="xs" mt="xs" mih="3em">
          {stateOf()}
        </Text>
      )}
    </>
  )

  function stateOf(): ReactNode {
    const { unfinished, counting } = segmentPreviewText
    if (body === undefined) return data ? unfinished.again : unfinished.first
    if (!data) return counting.first
    if (!isSettled || isFetching) return counting.again
    const seconds = (data.tookMs / 1000).toFixed(data.tookMs < 1000 ? 2 : 1)
    return (
      <>
        {segmentPreviewText.counted.withElements({
          time: <Timestamp value={new Date(dataUpdatedAt).toISOString()} />,
          duration: <time dateTime={`PT${seconds}S`}>{segmentPreviewText.took({ seconds })}</time>,
        })}{' '}
        {data.atLeast === true && segmentPreviewText.stopped}
      </>
    )
  }
}

interface TotalProps {
  readonly total: number
  /** Whether `total` is a lower bound, because counting stopped early. */
  readonly atLeast?: boolean | undefined
}

function Total({ total, atLeast }: TotalProps) {
  return (
    <Text span fz="lg" fw={600} className={classes.total ?? ''}>
      {segmentPreviewText.users({ count: total, bound: atLeast === true ? 'least' : 'exact' })}
    </Text>
  )
}

interface UsersProps extends TotalProps {
  readonly users: readonly (Pick<User, 'id'> & Parameters<typeof nameOf>[0])[]
}

function Users({ total, atLeast, users }: UsersProps) {
  const listId = useId()
  if (users.length === 0)
    return atLeast === true ? null : <p className="ds-dimmed">{segmentPreviewText.nobody}</p>
  const isAll = atLeast !== true && users.length === total
  return (
    <>
      <Text id={listId} c="dimmed" fz="xs">
        {isAll ? segmentPreviewText.all : segmentPreviewText.some({ shown: users.length })}
      </Text>
      <Box component="ul" aria-labelledby={listId} m={0} p={0} style={{ listStyle: 'none' }}>
        {users.map((user) => {
          const name = nameOf(user) ?? segmentPreviewText.noName
          return (
            <li key={user.id}>
              {/* Opens in a new tab, so that the form keeps its unsaved content. The line height of 24 pixels is
                the minimum touch target. */}
              <Text
                component={Link}
                to={links.user(user.id)}
                target="_blank"
                aria-label={segmentPreviewText.opens({ user: name })}
                display="block"
                w="fit-content"
                maw="100%"
                lh="24px"
                inherit
                truncate
              >
                {name}
              </Text>
              <Text c="dimmed" fz="xs" mb={2} truncate>
                {emailOf(user)}
              </Text>
            </li>
          )
        })}
      </Box>
    </>
  )
}
