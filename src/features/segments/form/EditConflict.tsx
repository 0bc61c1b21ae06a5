import type { Segment } from '#contract/index.ts'
import { sentenceOf } from '../../../domain/filters/sentence.ts'
import { ConflictDialog } from '../../../domain/writing/ConflictDialog.tsx'
import { conflictText, segmentEditText, segmentText } from '../../../messages/index.ts'
import { type Content, contentOf, type ContentKey } from './content.ts'
import { namesOf } from '../../../domain/segments/names.ts'
import type { Conflict } from './save-edit.ts'

export interface EditConflictProps {
  readonly conflict: Conflict
  readonly segments: readonly Segment[]
  /** With what is to be saved; `undefined`: back to the form. */
  readonly answer: (chosen: Content | undefined) => void
}

/** Two people changed the same of a segment: which of it stays. */
export function EditConflict({ conflict, segments, answer }: EditConflictProps) {
  const { keys, base, mine, now } = conflict
  const theirs = contentOf(now.segment)
  const segmentName = namesOf(segments)
  const shown = (content: Content, key: ContentKey) => {
    const { tz } = content
    const value = key === 'filter' ? sentenceOf(content.filter, { tz, segmentName }) : content[key]
    return value === '' ? conflictText.empty : value
  }
  return (
    <ConflictDialog
      title={segmentEditText.conflict}
      on={conflict}
      questions={keys.map((key) => ({
        id: key,
        legend: segmentText.create[key === 'tz' ? 'zone' : key],
        mine: shown(mine, key),
        theirs: shown(theirs, key),
        before: shown(base, key),
      }))}
      onSave={(choices) => {
        const taken = keys.filter((key) => choices.get(key) === 'theirs')
        answer({ ...mine, ...Object.fromEntries(taken.map((key) => [key, theirs[key]])) })
      }}
      onClose={() => answer(undefined)}
    />
  )
}
