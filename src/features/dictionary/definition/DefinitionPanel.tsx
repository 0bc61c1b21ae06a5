import { Button, Drawer, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { KnownDefinition } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { QueryPart } from '../../../domain/failures/InlineFailure.tsx'
import { propertyLabel, typeLabel } from '../../../domain/labels.ts'
import { DeleteDialog } from '../../../domain/writing/DeleteDialog.tsx'
import { LeaveDialog } from '../../../domain/writing/unsaved.tsx'
import { definitionText, sharedText, shellText } from '../../../messages/index.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { Fact, Facts } from '../../../ui/Facts.tsx'
import { useFocusBack, useTopmost } from '../../../ui/overlay-hooks.ts'
import { showToast } from '../../../ui/toast.tsx'
import { definitionContent, definitionFields, type DefinitionContent } from './content.ts'
import { DefinitionForm } from './DefinitionForm.tsx'
import {
  deleteDefinition,
  type DefinitionReading,
  editedDefinitionQuery,
  type PropertyName,
} from './queries.ts'
import { showField } from './show-field.ts'

export interface DefinitionPanelProps {
  readonly property: PropertyName
  readonly label: string
  /** Definition that the list shows, written or inferred. */
  readonly listed: KnownDefinition | undefined
  readonly onClose: () => void
}

/** Panel over the list in which a property is defined. Mounting it opens it. */
export function DefinitionPanel({ property, label, listed, onClose }: DefinitionPanelProps) {
  useFocusBack()
  const isTopmost = useTopmost()
  const [isUnsaved, setUnsaved] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const denied = useDenied('definitions:write')
  const reading = useQuery(editedDefinitionQuery(property))
  const close = () => (isUnsaved ? setAsking(true) : onClose())
  return (
    <Drawer
      opened
      position="right"
      size="min(520px, 100vw)"
      title={label}
      onClose={() => {
        if (isTopmost()) close()
      }}
      closeButtonProps={{ 'aria-label': sharedText.close }}
    >
      <Stack>
        <p className="ds-dimmed">
          {typeLabel(property.type)} · <span className="ds-mono">{property.key}</span>
        </p>
        {denied !== undefined && <Callout title={denied} />}
        <QueryPart
          query={reading}
          title={definitionText.failed}
          skeleton={<p className="ds-dimmed">{sharedText.loading}</p>}
        >
          {(base) =>
            denied === undefined ? (
              <>
                <p className="ds-dimmed">{definitionText.suggests}</p>
                <DefinitionForm
                  property={property}
                  inferredLabel={propertyLabel(property.type, property.key)}
                  base={base}
                  start={definitionContent(base.definition ?? listed)}
                  onUnsaved={setUnsaved}
                  onSaved={onClose}
                  onCancel={close}
                />
                {base.definition && <RemoveDefinition {...{ property, label, base, onClose }} />}
              </>
            ) : (
              <ReadDefinition
                isWritten={base.definition !== undefined}
                content={definitionContent(base.definition ?? listed)}
              />
            )
          }
        </QueryPart>
      </Stack>
      {isAsking && <LeaveDialog words={shellText.leave} onStay={() => setAsking(false)} onLeave={onClose} />}
    </Drawer>
  )
}

interface ReadDefinitionProps {
  readonly isWritten: boolean
  readonly content: DefinitionContent
}

function ReadDefinition({ isWritten, content }: ReadDefinitionProps) {
  return (
    <>
      {!isWritten && <p>{definitionText.nothing}</p>}
      <Facts>
        {definitionFields.map((field) => (
          <Fact key={field} name={definitionText.fields[field]}>
            {showField(content, field)}
          </Fact>
        ))}
      </Facts>
    </>
  )
}

interface RemoveDefinitionProps extends Pick<DefinitionPanelProps, 'property' | 'label' | 'onClose'> {
  readonly base: DefinitionReading
}

function RemoveDefinition({ property, label, base, onClose }: RemoveDefinitionProps) {
  const [isOpen, setOpen] = useState(false)
  const text = definitionText.remove
  return (
    <>
      <Button variant="default" color="red" onClick={() => setOpen(true)} style={{ justifySelf: 'start' }}>
        {text.action}
      </Button>
      {isOpen && (
        <DeleteDialog
          title={text.title({ property: label })}
          action={text.action}
          deletion={deleteDefinition(property, base)}
          failed={text.failed}
          own={{ lost: { body: text.lost } }}
          onDeleted={() => {
            showToast({ message: text.done({ property: label }) })
            onClose()
          }}
          onClose={() => setOpen(false)}
        >
          <p>{text.body}</p>
        </DeleteDialog>
      )}
    </>
  )
}
