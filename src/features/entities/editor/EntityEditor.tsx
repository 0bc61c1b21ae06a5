import { Button, Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import type { Entity } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { typeLabel, typeWithin } from '../../../domain/labels.ts'
import { links } from '../../../domain/links.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { useRestore } from '../../../domain/restoring/RestoreButton.tsx'
import { undoReason } from '../../../domain/restoring/undone.ts'
import { DeleteDialog } from '../../../domain/writing/DeleteDialog.tsx'
import { KeptEditsContext } from '../../../domain/writing/kept-edits.tsx'
import { useReason } from '../../../domain/writing/reason.tsx'
import { nothingToLose } from '../../../domain/writing/unsaved.tsx'
import { entityText, reasonText, restoringText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { ShortId } from '../../../ui/ShortId.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EntityDraft, entityDraftOf } from '../draft/entity-draft.ts'
import { rebase } from '../draft/merge.ts'
import { useTellSaved } from '../history/undo.ts'
import { EntityTitle, nameOf, useTitleOf } from '../row/EntityTitle.tsx'
import { deleteEntity } from '../saving/writes.ts'
import { EntityForm } from './EntityForm.tsx'

export interface EntityEditorProps {
  readonly userId: string
  readonly entityId: string
  /** Key of the property that a reader opened the editor for; after the save they return to reading. */
  readonly openedFor?: string | undefined
  readonly adds?: boolean | undefined
}

export function EntityEditor({ userId, entityId, openedFor, adds }: EntityEditorProps) {
  // Read here, so that the form remounted after a save starts from the latest data.
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const client = useQueryClient()
  const navigate = useNavigate()
  const { keep, of } = use(KeptEditsContext)
  const [revision, setRevision] = useState(0)
  const tellSaved = useTellSaved(userId, (undone) => {
    // Edits that were begun after the save stay, now on what is stored.
    const begun = of(entityId) as EntityDraft | undefined
    if (begun) keep(entityId, rebase(begun, undone))
    setRevision((now) => now + 1)
  })
  const titleOf = useTitleOf(userId)
  const entity = all.find(({ id }) => id === entityId)
  // The entity was deleted, just now or by somebody else; the other entities are still on the page.
  if (!entity) return <Text c="dimmed">{entityText.gone.title}</Text>
  const title = titleOf(entity)
  const next = () => {
    // The new form starts from the stored entity, not from the kept edits.
    keep(entityId, undefined)
    setRevision(revision + 1)
  }
  return (
    <EntityForm
      key={revision}
      place={{ userId, entityId }}
      start={entityDraftOf(entity)}
      afterSave={revision > 0}
      openedFor={revision > 0 ? undefined : openedFor}
      adds={revision === 0 && adds === true}
      name={nameOf({ ...title, type: typeWithin(entity.type) })}
      head={
        <Group gap="xs" pb="xs" wrap="nowrap">
          <EntityTitle title={title} />
          <Button
            component={Link}
            to={links.user(userId)}
            preventScrollReset
            variant="default"
            size="compact-sm"
            flex="none"
          >
            {entityText.reading.close}
          </Button>
        </Group>
      }
      aside={
        <Group gap="4px 16px" flex="1 1 auto" fz="sm">
          <Text span inherit c="dimmed">
            {entityText.form.created.withElements({ time: <Timestamp value={entity.created} /> })}
          </Text>
          <ShortId id={entity.id} />
          <Group ml="auto">
            <DeleteEntity userId={userId} entity={entity} />
          </Group>
        </Group>
      }
      onSaved={(saved, sent, theirs) => {
        tellSaved(saved, sent, theirs)
        next()
        if (openedFor === undefined) return
        const state = { ...nothingToLose, saved: entityId }
        void navigate(links.user(userId), { preventScrollReset: true, state })
      }}
      onReadAgain={async () => {
        await client.query({ ...entitiesQuery(userId), staleTime: 0 })
        next()
      }}
    />
  )
}

const deletionText = entityText.remove

interface DeleteEntityProps {
  readonly userId: string
  readonly entity: Entity
}

function DeleteEntity({ userId, entity }: DeleteEntityProps) {
  const { type, properties } = entity
  const [isAsking, setAsking] = useState(false)
  const holdsSensitive = properties.some(({ sensitive }) => sensitive === true)
  const denied = useDenied('entities:write', ...(holdsSensitive ? (['sensitive:write'] as const) : []))
  return (
    <>
      <DisabledReason reason={denied}>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          leftSection={<IconTrash size={14} stroke={1.75} />}
          onClick={() => setAsking(true)}
        >
          {deletionText.action({ type: typeWithin(type) })}
        </Button>
      </DisabledReason>
      {isAsking && <DeletionQuestion {...{ userId, entity }} onClose={() => setAsking(false)} />}
    </>
  )
}

interface DeletionQuestionProps extends DeleteEntityProps {
  readonly onClose: () => void
}

function DeletionQuestion({ userId, entity, onClose }: DeletionQuestionProps) {
  const { id, type, properties } = entity
  const navigate = useNavigate()
  const { keep } = use(KeptEditsContext)
  const reason = useReason()
  const { restore } = useRestore(
    { userId, entityId: id },
    { type, reason: undoReason(reasonText.undone), onRestored: () => navigate(links.entity(userId, id)) },
  )
  return (
    <DeleteDialog
      title={deletionText.title({ type: typeWithin(type), count: properties.length })}
      action={deletionText.confirm({ type: typeWithin(type) })}
      reason={reason}
      deletion={deleteEntity({ userId, entityId: id }, reason.given)}
      failed={deletionText.failed}
      own={deletionText.failure}
      onDeleted={() => {
        // Discard the unsaved edits of the deleted entity.
        keep(id, undefined)
        showToast({
          message: entityText.deleted({ type: typeLabel(type) }),
          ...(restore && { action: { label: restoringText.undo, onPress: restore } }),
        })
        void navigate(links.user(userId), { replace: true, state: nothingToLose })
      }}
      onClose={onClose}
    >
      <p>{restore ? deletionText.restorable : deletionText.final}</p>
    </DeleteDialog>
  )
}
