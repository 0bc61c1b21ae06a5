import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { keyedWrites } from '../../api/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import type { SetJob } from '../../domain/jobs/job-name.ts'
import { isReasonMissing, ReasonField, useReason } from '../../domain/writing/reason.tsx'
import { batchText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { undoJob } from './queries.ts'

const undoText = batchText.undo

/** Button that undoes a job, for the person who started it. A dialog says what stays, and asks for the reason. */
export function UndoJob({ job, count }: { readonly job: SetJob; readonly count: number }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => setAsking(true)}>
        {undoText.button}
      </Button>
      <Text size="sm" c="dimmed">
        {undoText.hint}
      </Text>
      {isAsking && <UndoDialog job={job} count={count} onClose={() => setAsking(false)} />}
    </Group>
  )
}

interface UndoDialogProps {
  readonly job: SetJob
  readonly count: number
  readonly onClose: () => void
}

function UndoDialog({ job, count, onClose }: UndoDialogProps) {
  const reason = useReason('', job.set.sensitive === true)
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
      title={undoText.title}
      onClose={onClose}
      back={sharedText.cancel}
      isBusy={isPending}
      actions={
        <Button onClick={undo} loading={isPending}>
          {undoText.action({ count })}
        </Button>
      }
    >
      <Text>{undoText.body}</Text>
      <ReasonField reason={reason} onEnter={undo} />
      {error && !isReasonMissing(error) && (
        <InlineFailure
          title={undoText.failed}
          error={error}
          own={{ lost: batchText.failures.lostSteering }}
        />
      )}
    </Dialog>
  )
}
