import type { Segment } from '#contract/index.ts'
import { sentenceOf } from '../../../domain/filters/sentence.ts'
import { ConflictDialog } from '../../../domain/writing/ConflictDialog.tsx'
import { conflictText, segmentEditText, segmentText } from '../../../messages/index.ts'
import { type Content, contentOf, type Field } from './content.ts'
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
  const { fields, base, mine, now } = conflict
  const theirs = contentOf(now.segment)
  const segmentName = namesOf(segments)
  const shown = (content: Content, field: Field) => {
    const { tz } = content
    const value = field === 'filter' ? sentenceOf(content.filter, { tz, segmentName }) : content[field]
    return value === '' ? conflictText.empty : value
  }
  return (
    <ConflictDialog
      title={segmentEditText.conflict}
      on={conflict}
      questions={fields.map((field) => ({
        id: field,
        legend: segmentText.create[field === 'tz' ? 'zone' : field],
        mine: shown(mine, field),
        theirs: shown(theirs, field),
        before: shown(base, field),
      }))}
      onSave={(choices) => {
        const taken = fields.filter((field) => choices.get(field) === 'theirs')
        answer({ ...mine, ...Object.fromEntries(taken.map((field) => [field, theirs[field]])) })
      }}
      onClose={() => answer(undefined)}
    />
  )
}
