import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { links } from '../../../domain/links.ts'
import { segmentRecreationText } from '../../../messages/index.ts'
import { listed } from '../../../messages/listed.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { dependentsOf } from '../dependents.ts'
import { forgetSegments } from '../queries.ts'
import { segmentName } from '../../../domain/segments/names.ts'
import { type Both, retire } from './save-edit.ts'

const knownMembers = new Set([
  'id',
  'name',
  'description',
  'filter',
  'tz',
  'created',
  'updated',
  'total',
  'counted',
])

export interface IdWillChangeProps {
  readonly segment: Segment
  readonly segments: readonly Segment[]
}

/**
 * Warns, before anything is typed, that the service cannot change a segment and that saving therefore creates a new
 * one.
 */
export function IdWillChange({ segment, segments }: IdWillChangeProps) {
  const dependents = dependentsOf(segment.id, segments)
  const others = Object.keys(segment).filter((name) => !knownMembers.has(name))
  return (
    <Paper role="note" withBorder p="sm" bg="var(--ds-surface)" fz="sm">
      <Text inherit fw={600}>
        {segmentRecreationText.title}
      </Text>
      <p>{segmentRecreationText.body}</p>
      {dependents.length > 0 && <p>{segmentRecreationText.usedBy({ segments: listedNames(dependents) })}</p>}
      {others.length > 0 && <p>{segmentRecreationText.others({ members: listed(others) })}</p>}
    </Paper>
  )
}

function listedNames(segments: readonly Segment[]): string {
  return listed(segments.map((each) => segmentRecreationText.segment({ name: segmentName(each) })))
}

export interface BothThereProps {
  readonly both: Both
  readonly oldId: string
  /** Called with the id of the new segment once the old one is deleted. */
  readonly onRetired: (newId: string) => void
}

/** Shown after a half-finished save: the new segment exists, but the old one does too. */
export function BothThere({ both, oldId, onRetired }: BothThereProps) {
  const client = useQueryClient()
  const [now, setNow] = useState(both)
  const heading = useRef<HTMLDivElement>(null)
  const again = useMutation({
    mutationFn: () => retire(oldId, now.id, now.content),
    onSuccess: (result) => {
      if (result.outcome === 'both') setNow(result)
      if (result.outcome === 'saved') onRetired(result.id)
    },
    onSettled: () => forgetSegments(client),
  })
  // The form that had the focus was removed, so the focus moves here.
  useLayoutEffect(() => heading.current?.focus(), [])
  const { id, why, dependents, error } = now
  return (
    <Stack ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
      <InlineFailure title={segmentRecreationText.bothTitle} error={error}>
        {why === 'used'
          ? segmentRecreationText.used({ segments: listedNames(dependents) })
          : segmentRecreationText[why]}
      </InlineFailure>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" component={Link} to={links.segment(oldId)}>
          {segmentRecreationText.old}
        </Button>
        <Button variant="default" onClick={() => again.mutate()} loading={again.isPending}>
          {segmentRecreationText.retry}
        </Button>
        <Button component={Link} to={links.segment(id)}>
          {segmentRecreationText.open}
        </Button>
      </Group>
    </Stack>
  )
}
