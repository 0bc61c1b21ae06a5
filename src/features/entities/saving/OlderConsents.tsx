import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { propertyLabel } from '../../../domain/labels.ts'
import { mayUndoLater } from '../../../domain/values/older-consent.ts'
import { ValueText } from '../../../domain/values/ValueText.tsx'
import { entityText } from '../../../messages/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { differenceOf } from '../draft/difference.ts'
import type { EntityDraft } from '../draft/entity-draft.ts'
import { isSecret } from '../draft/row.ts'

const { older: olderText, review } = entityText

interface OlderConsent {
  readonly rowId: string
  readonly label: string
  readonly given: unknown
  /** Stored consent; undefined if it is masked. */
  readonly stored: unknown
}

/** Returns the consents of a draft that are, or may be, older than the stored ones. */
function findOlderConsents(draft: EntityDraft): OlderConsent[] {
  return differenceOf(draft).changes.flatMap((row) => {
    const { id: rowId, loaded, type, read } = row
    if (!loaded || read === 'unseen' || read.issues || !mayUndoLater(type, read.value, loaded)) return []
    const stored = isSecret(row) ? undefined : loaded.value
    return [{ rowId, label: propertyLabel(draft.type, loaded.key), given: read.value, stored }]
  })
}

/** Lets a save of a draft pass at once, or after a question if it would replace later consents by older ones. */
export function useOlderConsents() {
  const [question, setQuestion] = useState<OlderConsentsDialogProps>()
  return {
    question: question && <OlderConsentsDialog {...question} />,
    guard: (draft: EntityDraft, save: () => void) => {
      const consents = findOlderConsents(draft)
      if (consents.length === 0) return save()
      const onBack = () => setQuestion(undefined)
      const onSave = () => {
        onBack()
        save()
      }
      setQuestion({ consents, onSave, onBack })
    },
  }
}

interface OlderConsentsDialogProps {
  readonly consents: readonly OlderConsent[]
  readonly onSave: () => void
  readonly onBack: () => void
}

function OlderConsentsDialog({ consents, onSave, onBack }: OlderConsentsDialogProps) {
  const renderConsent = (value: unknown): ReactNode => <ValueText type="PREFERENCE" value={value} />
  return (
    <Dialog
      title={olderText.title({ count: consents.length })}
      onClose={onBack}
      actions={
        <>
          <Button variant="default" onClick={onSave}>
            {olderText.action({ count: consents.length })}
          </Button>
          <Button onClick={onBack}>{review.back}</Button>
        </>
      }
    >
      {consents.map(({ rowId, label, given, stored }) => {
        const parts = { label, given: renderConsent(given) }
        return (
          <p key={rowId}>
            {stored === undefined
              ? olderText.hidden.withElements(parts)
              : olderText.question.withElements({ ...parts, stored: renderConsent(stored) })}
          </p>
        )
      })}
    </Dialog>
  )
}
