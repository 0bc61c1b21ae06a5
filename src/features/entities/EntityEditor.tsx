import { Button, Group, Text } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { links } from '../../domain/links.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { KeptEditsContext } from '../../domain/writing/kept-edits.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { entityText } from '../../messages/index.ts'
import { listed } from '../../messages/listed.ts'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { DeleteEntity } from './DeleteEntity.tsx'
import { entityDraftOf } from './entity-draft.ts'
import { EntityForm } from './EntityForm.tsx'
import { typeSuggestions } from './type-suggestions.ts'

export interface EntityEditorProps {
  readonly userId: string
  readonly entityId: string
  /** Key of the property that a reader opened the editor for; after the save they return to reading. */
  readonly openedFor?: string | undefined
  /** Whether the editor was opened to add a property. */
  readonly adds?: boolean | undefined
}

/** Editor of one entity, shown in place of its read-only view. */
export function EntityEditor({ userId, entityId, openedFor, adds }: EntityEditorProps) {
  // Read here, so that the form remounted after a save starts from the latest data.
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const client = useQueryClient()
  const navigate = useNavigate()
  const { keep } = use(KeptEditsContext)
  const [revision, setRevision] = useState(0)
  const entity = all.find(({ id }) => id === entityId)
  // The entity was deleted, just now or by somebody else; the other entities are still on the page.
  if (!entity) return <Text c="dimmed">{entityText.gone.title}</Text>
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
      suggestions={typeSuggestions(all)}
      aside={
        <Group gap="4px 16px" flex="1 1 auto" fz="sm">
          <Text span inherit c="dimmed">
            {entityText.form.created.withElements({ time: <Timestamp value={entity.created} /> })}
          </Text>
          <ShortId id={entity.id} />
          <Group gap="xs" ml="auto">
            <DeleteEntity userId={userId} entity={entity} />
            <Button
              component={Link}
              to={links.user(userId)}
              preventScrollReset
              variant="default"
              size="compact-sm"
            >
              {entityText.reading.close}
            </Button>
          </Group>
        </Group>
      }
      onSaved={(_entity, changes, theirs) => {
        showToast({ message: describeSave(changes, theirs) })
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

/** Describes how many of the caller's changes were saved, and which properties somebody else changed. */
function describeSave(count: number, theirs: readonly string[] = []): string {
  const { theirs: theirsOnly, mine, both } = entityText.saved
  if (count === 0) return theirsOnly
  return theirs.length === 0 ? mine({ count }) : both({ count, properties: listed(theirs.map(keyLabel)) })
}
