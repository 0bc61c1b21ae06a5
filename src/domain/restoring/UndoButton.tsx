import { Button } from '@mantine/core'
import { mutationOptions, useMutation } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link } from 'react-router'

import type { Changeset, Event, EventType, LookedUpChangeset } from '#contract/index.ts'
import { api, invalidate, keyedWrites, offers, refresh } from '../../api/index.ts'
import { useDenied, usePerson } from '../../auth/use-session.ts'
import { restoringText } from '../../messages/index.ts'
import { instantMs } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { eventProperty } from '../changes/what-happened.ts'
import { jobOfEvent } from '../jobs/result.ts'
import { links } from '../links.ts'
import { tellNotUndone, undoReason } from './undone.ts'

/** Time for which one's own changes can be undone wherever they are listed. */
const undoableTypes: ReadonlySet<string> = new Set<EventType>([
  'USER_UPDATED',
  'DIRECT_DATA_CHANGE',
  'JOB_FINISHED',
  'JOB_STOPPED',
])
const undoableMs = 24 * 60 * 60_000

interface UndoButtonProps {
  readonly event: Event
  /** Changes of the event; undefined while they are unknown. */
  readonly changeset: Changeset | LookedUpChangeset | undefined
  /** Words for the change in the line beside the button. */
  readonly change: string
}

/**
 * Button that undoes what this person did during the last day: a change at once, a job on its page, which says what that
 * means. The service decides whether it still can: what somebody else has written since stays.
 */
export function UndoButton(props: UndoButtonProps) {
  const { event, change } = props
  const isOwn = useIsOwn(event)
  const job = jobOfEvent(event)
  if (!isOwn || !offers('revertChangeset')) return null
  if (!job) return <UndoChange {...props} />
  if (!job.isUndoable) return null
  return (
    <Button
      component={Link}
      to={links.job(job.id)}
      aria-label={restoringText.undoOf({ change })}
      {...buttonLook}
    >
      {restoringText.undoJob}
    </Button>
  )
}

const buttonLook = { variant: 'default', size: 'compact-xs' } as const

function UndoChange({ event, changeset, change }: UndoButtonProps) {
  const isOfUser = event.type === 'USER_UPDATED'
  const isSensitive = changeset?.changes.some(({ sensitive }) => sensitive === true) === true
  const denied = useDenied(
    isOfUser ? 'users:write' : 'entities:write',
    ...(isSensitive ? (['sensitive:write'] as const) : []),
  )
  const [write] = useState(keyedWrites)
  const { mutate, isPending } = useMutation(undoChange(changeset?.id ?? '', write))
  const isUndoable = changeset?.op === 'change' || changeset?.op === 'remove'
  if (changeset?.reverted === true) return <span className="ds-dimmed">{restoringText.isUndone}</span>
  if (!isUndoable || denied !== undefined) return null
  return (
    <Button
      aria-label={restoringText.undoOf({ change })}
      loading={isPending}
      onClick={() => mutate()}
      {...buttonLook}
    >
      {restoringText.undo}
    </Button>
  )
}

/** Whether this person did what an event tells of, by hand or by a job as a whole, within the last day. */
function useIsOwn(event: Event): boolean {
  const { subject } = usePerson()
  const { service } = use(ZonesContext)
  const [nowMs] = useState(Date.now)
  const atMs = instantMs(event.eventtime, service)
  return (
    undoableTypes.has(event.type) &&
    eventProperty(event, 'actor') === subject &&
    // A change that a job made is undone with the job.
    (event.type.startsWith('JOB_') || eventProperty(event, 'job') === undefined) &&
    atMs !== undefined &&
    nowMs - atMs < undoableMs
  )
}

function undoChange(changesetId: string, write: ReturnType<typeof keyedWrites>) {
  return mutationOptions({
    mutationFn: () => {
      const reason = undoReason()
      return write([changesetId, reason], (keyed) =>
        api.revertChangeset({ params: { changeset_id: changesetId }, body: {}, reason, ...keyed }),
      )
    },
    onSuccess: () => showToast({ message: restoringText.changeUndone }),
    onError: (error) => tellNotUndone(error, restoringText.undoFailure),
    onSettled: async (_nothing, _error, _void, _result, { client }) => {
      await Promise.all([
        refresh(client, 'listEntities', 'getUser', 'getChangeset', 'lookUpChangesets'),
        invalidate(client, 'listEvents'),
      ])
    },
  })
}
