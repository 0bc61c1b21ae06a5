import { Button, Drawer, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { KnownDefinition, KnownType } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { QueryPart } from '../../../domain/failures/InlineFailure.tsx'
import { propertyLabel, typeLabel } from '../../../domain/labels.ts'
import { DeleteDialog } from '../../../domain/writing/DeleteDialog.tsx'
import { LeaveDialog } from '../../../domain/writing/unsaved.tsx'
import { definitionText, sharedText, shellText } from '../../../messages/index.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { Fact, Facts } from '../../../ui/Facts.tsx'
import { useFocusBack, useOverlay } from '../../../ui/overlay-hooks.ts'
import { showToast } from '../../../ui/toast.tsx'
import { type DefinedName, definitionContent, type DefinitionContent, fieldsOf } from './content.ts'
import { DefinitionForm } from './DefinitionForm.tsx'
import { deleteDefinition, type DefinitionReading, editedDefinitionQuery, withoutType } from './queries.ts'
import { showField } from './show-field.ts'

export interface DefinitionPanelProps {
  readonly name: DefinedName
  readonly label: string
  /** Definition that the list shows, written or inferred. */
  readonly listed: KnownDefinition | KnownType | undefined
  readonly onClose: () => void
}

/** Panel over the list in which a property or an entity type is defined. Mounting it opens it. */
export function DefinitionPanel({ name, label, listed, onClose }: DefinitionPanelProps) {
  useFocusBack()
  const isTopmost = useOverlay()
  const [isUnsaved, setUnsaved] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const denied = useDenied('definitions:write')
  const reading = useQuery(editedDefinitionQuery(name))
  const contentOf = ({ definition }: DefinitionReading) =>
    definitionContent(definition ?? (listed && name.key === undefined ? withoutType(listed) : listed))
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
          {name.key !== undefined && `${typeLabel(name.type)} · `}
          <span className="ds-mono">{name.key ?? name.type}</span>
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
                {name.key !== undefined && <p className="ds-dimmed">{definitionText.suggests}</p>}
                <DefinitionForm
                  name={name}
                  inferredLabel={
                    name.key === undefined ? typeLabel(name.type) : propertyLabel(name.type, name.key)
                  }
                  base={base}
                  start={contentOf(base)}
                  onUnsaved={setUnsaved}
                  onSaved={onClose}
                  onCancel={close}
                />
                {base.definition && <RemoveDefinition {...{ name, label, base, onClose }} />}
              </>
            ) : (
              <ReadDefinition
                name={name}
                isWritten={base.definition !== undefined}
                content={contentOf(base)}
              />
            )
          }
        </QueryPart>
      </Stack>
      {isAsking && <LeaveDialog words={shellText.leave} onStay={() => setAsking(false)} onLeave={onClose} />}
    </Drawer>
  )
}

interface ReadDefinitionProps extends Pick<DefinitionPanelProps, 'name'> {
  readonly isWritten: boolean
  readonly content: DefinitionContent
}

function ReadDefinition({ name, isWritten, content }: ReadDefinitionProps) {
  return (
    <>
      {!isWritten && <p>{name.key === undefined ? definitionText.nothingOfType : definitionText.nothing}</p>}
      <Facts>
        {fieldsOf(name).map((field) => (
          <Fact key={field} name={definitionText.fields[field]}>
            {showField(content, field)}
          </Fact>
        ))}
      </Facts>
    </>
  )
}

interface RemoveDefinitionProps extends Pick<DefinitionPanelProps, 'name' | 'label' | 'onClose'> {
  readonly base: DefinitionReading
}

function RemoveDefinition({ name, label, base, onClose }: RemoveDefinitionProps) {
  const [isOpen, setOpen] = useState(false)
  const text = definitionText.remove
  return (
    <>
      <Button variant="default" color="red" onClick={() => setOpen(true)} style={{ justifySelf: 'start' }}>
        {text.action}
      </Button>
      {isOpen && (
        <DeleteDialog
          title={text.title({ name: label })}
          action={text.action}
          deletion={deleteDefinition(name, base)}
          failed={text.failed}
          own={{ lost: { body: text.lost } }}
          onDeleted={() => {
            showToast({ message: text.done({ name: label }) })
            onClose()
          }}
          onClose={() => setOpen(false)}
        >
          <p>{name.key === undefined ? text.bodyOfType : text.body}</p>
        </DeleteDialog>
      )}
    </>
  )
}
