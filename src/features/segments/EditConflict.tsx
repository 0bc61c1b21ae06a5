import { Button } from '@mantine/core'
import { useState } from 'react'

import type { Segment } from '#contract/index.ts'
import { segmentConflict as text } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { sentenceOf } from '../../domain/filters/sentence.ts'
import { type Side, SideChoice } from '../../domain/writing/SideChoice.tsx'
import classes from './EditConflict.module.css'
import { type Content, contentOf, type Field } from './content.ts'
import { namesOf } from './names.ts'
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
  const [chosen, setChosen] = useState<Partial<Record<Field, Side>>>({})
  const theirs = contentOf(now.segment)
  const segmentName = namesOf(segments)
  const shown = (content: Content, field: Field) => {
    const { tz } = content
    const value = field === 'filter' ? sentenceOf(content.filter, { tz, segmentName }) : content[field]
    return value === '' ? text.none : value
  }
  const save = () => {
    const taken = fields.filter((field) => chosen[field] === 'theirs').map((field) => [field, theirs[field]])
    answer({ ...mine, ...Object.fromEntries(taken) })
  }
  return (
    <Dialog
      width={640}
      title={text.title}
      onClose={() => answer(undefined)}
      actions={
        <>
          <Button variant="default" onClick={() => answer(undefined)}>
            {text.back}
          </Button>
          <Button onClick={save} disabled={fields.some((field) => chosen[field] === undefined)}>
            {text.save}
          </Button>
        </>
      }
    >
      <p>{text.body}</p>
      <div className={classes.choices}>
        {fields.map((field) => (
          <SideChoice
            key={field}
            legend={text.fields[field]}
            who={{ mine: text.mine, theirs: text.theirs }}
            what={{ mine: shown(mine, field), theirs: shown(theirs, field) }}
            chosen={chosen[field]}
            onChoose={(side) => setChosen((before) => ({ ...before, [field]: side }))}
            note={text.before(shown(base, field))}
          />
        ))}
      </div>
    </Dialog>
  )
}
