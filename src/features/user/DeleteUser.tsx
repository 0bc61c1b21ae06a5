import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link } from 'react-router'

import type { ErasureList } from '#contract/index.ts'
import { api, fileUnder, isReasonRequired } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { erasureQuery } from '../../domain/queries/erasures.ts'
import type { UserWithoutInvitation } from '../../domain/queries/users.ts'
import { CollectionProgress, useCollection } from '../../domain/subject-access/collection.tsx'
import { download } from '../../domain/subject-access/document.ts'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'
import { ReferenceField, useReference } from '../../domain/writing/deletion-reference.tsx'
import { accessText, userEditText } from '../../messages/index.ts'
import { fullMinuteAfter, latestMinute } from '../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { deleteUser, recordsDeletions } from './queries.ts'

const deleteUserText = userEditText.remove

/** Interval for reading when a deletion made now would become final. That time keeps moving and is shown in minutes. */
const refetchMs = 30_000

interface DeleteUserProps {
  readonly user: UserWithoutInvitation
  /** Called after the deletion to leave the page, with a text that says when the deletion is final. */
  readonly onDeleted: (afterwards: string | undefined) => Promise<void>
  readonly onClose: () => void
}

export function DeleteUser({ user, onDeleted, onClose }: DeleteUserProps) {
  const client = useQueryClient()
  const isRecorded = recordsDeletions()
  const { shown } = use(ZonesContext)
  const { data: waiting } = useQuery({
    // Cached apart from the list of deletions, which stays longer: a stale time would promise too early an end.
    ...fileUnder('listErasures', { query: { state: 'waiting' }, as: 'now' }),
    queryFn: ({ signal }) => api.listErasures({ query: { state: 'waiting' }, signal }),
    enabled: isRecorded,
    gcTime: 0,
    refetchInterval: refetchMs,
  })
  const asksReference = isRecorded || isReasonRequired()
  const reference = useReference(asksReference)
  /** Reads the recorded deletion. A failure of this read must not look like a failed deletion. */
  const readAfterwards = async () => {
    if (!isRecorded) return undefined
    const erasure = await client.query(erasureQuery(user.id)).catch(() => null)
    if (erasure?.state !== 'waiting') return undefined
    if (!erasure.isByService) return deleteUserText.byOperator.afterwards
    return erasure.due === undefined
      ? undefined
      : deleteUserText.byService.afterwards({ time: latestMinute(Date.parse(erasure.due), shown) })
  }
  return (
    <DeleteDialog
      title={deleteUserText.title({ name: nameOf(user) ?? emailOf(user) ?? deleteUserText.nameless })}
      word={emailOf(user) ?? deleteUserText.word}
      action={deleteUserText.submit}
      deletion={deleteUser(user.id, reference.given)}
      isReady={reference.isReady}
      failed={userEditText.failure.title}
      own={deleteUserText.failure}
      onDeleted={async () => onDeleted(await readAfterwards())}
      onClose={onClose}
    >
      <p>{deleteUserText.body}</p>
      {isReasonRequired() && <ReferenceField reference={reference} />}
      {waiting && <DeletionNotice waiting={waiting} />}
      <SaveCopy userId={user.id} />
      {asksReference && !isReasonRequired() && <ReferenceField reference={reference} />}
    </DeleteDialog>
  )
}

function DeletionNotice({ waiting: { finalBy, due, total, since } }: { readonly waiting: ErasureList }) {
  const isByService = finalBy === 'service' && due !== undefined
  return (
    <p>
      {isByService
        ? deleteUserText.byService.before.withElements({
            time: <Timestamp value={fullMinuteAfter(due)} mode="paper" />,
          })
        : deleteUserText.byOperator.before}
      {total > 0 && (
        <span className="ds-dimmed">
          {' '}
          {deleteUserText.waiting.withElements({ count: total, time: <Timestamp value={since} /> })}
        </span>
      )}
    </p>
  )
}

const saveCopyText = accessText.copy

/** Offers a user's data as a file before the deletion. Sensitive values need a reason, for which it links a page. */
function SaveCopy({ userId }: { readonly userId: string }) {
  const collection = useCollection(userId)
  const [saved, setSaved] = useState<string>()
  return (
    <Stack align="flex-start" gap="xs" pt="sm" fz="sm">
      {collection.work.phase === 'idle' && (
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={() => collection.start(undefined, (document) => setSaved(download(document)))}
        >
          {saveCopyText.action}
        </Button>
      )}
      <CollectionProgress collection={collection} />
      <output>{saved !== undefined && saveCopyText.saved({ file: saved })}</output>
      {saved !== undefined && <Link to={links.subjectAccess(userId)}>{saveCopyText.include}</Link>}
    </Stack>
  )
}
