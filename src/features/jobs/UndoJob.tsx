import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { Job } from '#contract/index.ts'
import { keyedWrites } from '../../api/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { isReasonMissing, ReasonField, useReason } from '../../domain/writing/reason.tsx'
import { jobsText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { undoJob } from './queries.ts'
import type { JobText } from './view.ts'

interface UndoProps {
  readonly job: Job
  /** Number of users for whom something would be put back. */
  readonly count: number
  readonly text: NonNullable<JobText['undo']>
  /** Whether it opens sensitive values, so that a reason is required. */
  readonly isSensitive: boolean
}

/** Button that undoes a job, for the person who started it. A dialog says what stays, and asks for the reason. */
export function UndoJob(undo: UndoProps) {
  const { text } = undo
  const [isAsking, setAsking] = useState(false)
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => setAsking(true)}>
        {text.button}
      </Button>
      <Text size="sm" c="dimmed">
        {text.hint}
      </Text>
      {isAsking && <UndoDialog {...undo} onClose={() => setAsking(false)} />}
    </Group>
  )
}

function UndoDialog({
  job,
  count,
  text,
  isSensitive,
  onClose,
}: UndoProps & { readonly onClose: () => void }) {
  const reason = useReason('', isSensitive)
  const [write] = useState(keyedWrites)
  const { mutate, error, isPending } = useMutation({
    ...undoJob(job.id, write, reason.given),
    onSuccess: onClose,
    onError: (failure) => isReasonMissing(failure) && reason.demand(),
  })
  const undo = () => {
    if (reason.isReady()) mutate()
  }
  return (
    <Dialog
      title={text.title}
      onClose={onClose}
      back={sharedText.cancel}
      isBusy={isPending}
      actions={
        <Button onClick={undo} loading={isPending}>
          {text.action({ count })}
        </Button>
      }
    >
      <Text>{text.body}</Text>
      <ReasonField reason={reason} onEnter={undo} />
      {error && !isReasonMissing(error) && (
        <InlineFailure title={text.failed} error={error} own={{ lost: jobsText.failures.lost }} />
      )}
    </Dialog>
  )
}
