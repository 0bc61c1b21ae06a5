import { useEffect, useState } from 'react'

import { keyedWrites } from '../../../api/index.ts'
import { textOf } from '../../../domain/definitions/definitions.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { ConflictDialog } from '../../../domain/writing/ConflictDialog.tsx'
import { FormFrame, useServiceForm } from '../../../domain/writing/service-form.tsx'
import { conflictText, definitionText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import { showToast } from '../../../ui/toast.tsx'
import {
  type DefinedName,
  definitionBody,
  type DefinitionContent,
  definitionContent,
  fieldsOf,
  schemaOf,
  takeFields,
} from './content.ts'
import { PropertyFields, TypeFields } from './DefinitionFields.tsx'
import { type DefinitionConflict, type DefinitionReading, saveDefinition } from './queries.ts'
import { showField } from './show-field.ts'

export interface DefinitionFormProps {
  readonly name: DefinedName
  /** Label that stands where nobody wrote one. */
  readonly inferredLabel: string
  /** Definition that the edit is based on. */
  readonly base: DefinitionReading
  /** Content to begin with: what is written, else what the values suggest. */
  readonly start: DefinitionContent
  readonly onUnsaved: (isUnsaved: boolean) => void
  readonly onSaved: () => void
  readonly onCancel: () => void
}

export function DefinitionForm(props: DefinitionFormProps) {
  const { name, start, onUnsaved } = props
  const { save, question } = useSave(props)
  const state = useServiceForm({
    schema: schemaOf(name),
    initial: start,
    fields: fieldsOf(name),
    onSave: save,
  })
  const { isUnsaved } = state
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved])
  const Fields = name.key === undefined ? TypeFields : PropertyFields
  return (
    <>
      <FormFrame
        form={state}
        layout="column"
        submit={definitionText.submit}
        onCancel={props.onCancel}
        renderProblem={({ error, rest }) => (
          <InlineFailure
            title={definitionText.notSaved}
            error={error}
            own={{ lost: { body: definitionText.lost }, rest, kept: definitionText.kept }}
          />
        )}
      >
        <Fields form={state.form} start={start} inferredLabel={props.inferredLabel} />
      </FormFrame>
      {question && <DefinitionConflictDialog {...question} inferredLabel={props.inferredLabel} />}
    </>
  )
}

interface ConflictQuestion {
  readonly conflict: DefinitionConflict
  /** Resolves the question with the content to save, or with undefined to return to the form. */
  readonly answer: (chosen: DefinitionContent | undefined) => void
}

/** Saves the edit, and asks about each field that somebody else changed too. */
function useSave({ name, inferredLabel, base, onSaved }: DefinitionFormProps) {
  const [write] = useState(keyedWrites)
  const [question, setQuestion] = useState<ConflictQuestion>()
  const save = async (content: DefinitionContent) => {
    let result = await saveDefinition(write, name, base, content)
    while ('conflict' in result) {
      const { conflict } = result
      const chosen = await new Promise<DefinitionContent | undefined>((answer) =>
        setQuestion({ conflict, answer }),
      )
      setQuestion(undefined)
      if (!chosen) return undefined
      result = await saveDefinition(write, name, conflict.now, chosen)
    }
    const theirs = result.theirs.map((field) => definitionText.fields[field])
    const label = textOf(definitionBody(result.merged).label) ?? inferredLabel
    return () => {
      const { saved, savedWith } = definitionText
      const message =
        theirs.length > 0 ? savedWith({ name: label, fields: listNames(theirs) }) : saved({ name: label })
      showToast({ message })
      onSaved()
    }
  }
  return { save, question }
}

function DefinitionConflictDialog({
  conflict,
  answer,
  inferredLabel,
}: ConflictQuestion & Pick<DefinitionFormProps, 'inferredLabel'>) {
  const { conflicts, base, merged, now } = conflict
  const theirs = definitionContent(now.definition)
  const show = (content: DefinitionContent, field: (typeof conflicts)[number]) => {
    const value = showField(content, field)
    return value === '' ? conflictText.empty : value
  }
  return (
    <ConflictDialog
      title={definitionText.conflict({ name: textOf(definitionBody(theirs).label) ?? inferredLabel })}
      on={conflict}
      questions={conflicts.map((field) => ({
        id: field,
        legend: definitionText.fields[field],
        mine: show(merged, field),
        theirs: show(theirs, field),
        before: show(base, field),
      }))}
      onSave={(choices) =>
        answer(
          takeFields(
            merged,
            theirs,
            conflicts.filter((field) => choices.get(field) === 'theirs'),
          ),
        )
      }
      onClose={() => answer(undefined)}
    />
  )
}
