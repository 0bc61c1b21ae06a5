import { Link } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { segmentText } from '../../messages/index.ts'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'
import { nameOf } from '../../domain/segments/names.ts'
import { deleteSegment } from './queries.ts'

const text = segmentText.remove

/** A name longer than this is more than anybody should have to type, and than the dialog has room for. */
const longestWord = 40

export interface DeleteSegmentProps {
  readonly segment: Segment
  /** The segments that use it; absent: they could not be read. */
  readonly dependents: readonly Segment[] | undefined
  /** Gone: leave the page. */
  readonly onDeleted: () => Promise<void>
  readonly onClose: () => void
}

export function DeleteSegment({ segment, dependents, onDeleted, onClose }: DeleteSegmentProps) {
  const named = segment.name?.trim() ?? ''
  return (
    <DeleteDialog
      title={text.title(nameOf(segment))}
      word={named === '' || named.length > longestWord ? text.word : named}
      action={text.action}
      deletion={deleteSegment(segment.id)}
      failed={({ code }) => (code === 'segment_in_use' ? text.inUse : text.failed)}
      own={{ lost: text.lost }}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      {text.body}
      {!dependents && <p style={{ marginBlockStart: 8 }}>{text.usedByUnknown}</p>}
      {dependents && dependents.length > 0 && (
        <>
          <p style={{ marginBlockStart: 8 }}>{text.usedBy}</p>
          <ul style={{ margin: 0, paddingInlineStart: 20, lineHeight: '24px' }}>
            {dependents.map((each) => (
              <li key={each.id}>
                <Link to={links.segment(each.id)} dir="auto">
                  {nameOf(each)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </DeleteDialog>
  )
}
