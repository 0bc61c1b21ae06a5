import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import type { BodyInput, Endpoints } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { keyedWrites } from '../../api/keyed-writes.ts'
import { deleteUsersText } from '../../messages/index.ts'
import { links } from '../links.ts'
import { DeleteDialog } from '../writing/DeleteDialog.tsx'
import { ReferenceField, useReference } from '../writing/deletion-reference.tsx'

interface DeleteUsersProps {
  readonly target: Pick<BodyInput<Endpoints['deleteUsers']>, 'ids' | 'filter' | 'segment'>
  /** Number of users that the person has seen; the service deletes nobody if it finds another number. */
  readonly count: number
  readonly onClose: () => void
}

/** Asks before many users are deleted, and leads to the page of the job that deletes them. */
export function DeleteUsers({ target, count, onClose }: DeleteUsersProps) {
  const navigate = useNavigate()
  const reference = useReference(true)
  const [write] = useState(keyedWrites)
  const jobId = useRef<string>(undefined)
  const begin = async () => {
    const body = { ...target, count }
    const { id } = await write([body, reference.given], (keyed) =>
      api.deleteUsers({ body, reference: reference.given, ...keyed }),
    )
    jobId.current = id
  }
  return (
    <DeleteDialog
      title={deleteUsersText.title({ count })}
      word={String(count)}
      action={deleteUsersText.action({ count })}
      deletion={{ mutationFn: begin }}
      isReady={reference.isReady}
      failed={deleteUsersText.failed}
      own={{ lost: deleteUsersText.lost }}
      onDeleted={() => navigate(jobId.current === undefined ? links.jobs() : links.job(jobId.current))}
      onClose={onClose}
    >
      <p>{deleteUsersText.body}</p>
      <ReferenceField reference={reference} />
    </DeleteDialog>
  )
}
