import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { judgementText } from '../../messages/index.ts'
import { Judgement } from '../../domain/filters/Judgement.tsx'
import { useKnown } from '../../domain/filters/use-known.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { whyQuery } from '../../domain/queries/segments.ts'

export interface WhyPanelProps {
  readonly userId: string
  readonly segmentId: string
  /** As the list says. */
  readonly isMember: boolean
}

/** Why a user is in a segment, or is not: as it is now. */
export function WhyPanel({ userId, segmentId, isMember }: WhyPanelProps) {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery(whyQuery(userId))
  const known = useKnown(userId)
  if (error && !data)
    return (
      <InlineFailure
        title={judgementText.failed}
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  if (!data) return <SkeletonRows rows={2} />
  const membership = data.find(({ id }) => id === segmentId)
  if (!membership?.why)
    return <p className="ds-dimmed">{membership ? judgementText.unknown : judgementText.gone}</p>
  const { pass } = membership.why
  return (
    <>
      {/* The row stays where it is: what is being read does not move. */}
      {pass !== isMember && (
        <Text c="var(--ds-changed)" pb={8}>
          {judgementText.changed(pass)}
        </Text>
      )}
      <Judgement known={known} segmentId={segmentId} judged={membership.why} />
      <Text size="xs" c="dimmed" pt={8}>
        {judgementText.asOf} <Timestamp value={new Date(dataUpdatedAt).toISOString()} mode="minute" />
      </Text>
    </>
  )
}
