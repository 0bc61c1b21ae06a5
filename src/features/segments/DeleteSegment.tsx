import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { segmentText } from '../../messages/index.ts'
import { ConfirmByTyping } from '../../ui/ConfirmByTyping.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { nameOf } from './names.ts'
import { deleteSegment } from './queries.ts'

/** A name longer than this is more than anybody should have to type, and than the dialog has room for. */
const longestWord = 40

export interface DeleteSegmentProps {
  readonly segment: Segment
  /** The segments that use it. */
  readonly dependents: readonly Segment[]
  /** Gone: leave the page. */
  readonly onDeleted: () => Promise<void>
  readonly onClose: () => void
}

export function DeleteSegment({ segment, dependents, onDeleted, onClose }: DeleteSegmentProps) {
  const remove = useMutation(deleteSegment(segment.id))
  const confirm = async () => {
    try {
      await remove.mutateAsync()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Somebody else was faster, or an earlier try did more than its answer told.
      if (error.status !== 404) return
    }
    await onDeleted()
  }
  const named = segment.name?.trim() ?? ''
  const { error } = remove
  return (
    <ConfirmByTyping
      title={segmentText.remove.title(nameOf(segment))}
      word={named === '' || named.length > longestWord ? segmentText.remove.word : named}
      action={segmentText.remove.action}
      onConfirm={() => void confirm()}
      onClose={onClose}
      pending={remove.isPending || remove.isSuccess}
      failure={error instanceof ApiError && error.status !== 404 && <NotDeleted error={error} />}
    >
      {segmentText.remove.body}
      {dependents.length > 0 && (
        <>
          <p style={{ marginBlockStart: 8 }}>{segmentText.remove.usedBy}</p>
          <ul style={{ margin: 0, paddingInlineStart: 20, lineHeight: '24px' }}>
            {dependents.map((each) => (
              <li key={each.id}>
                <Link to={links.segment(each.id)}>{nameOf(each)}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmByTyping>
  )
}

function NotDeleted({ error }: { readonly error: ApiError }) {
  const { inUse, failed, lost } = segmentText.remove
  return (
    <InlineFailure title={error.code === 'segment_in_use' ? inUse : failed} error={error} own={{ lost }} />
  )
}
