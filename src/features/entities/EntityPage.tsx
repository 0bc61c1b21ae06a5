import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/Text.layer.css'

import { Group, Text } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'

import type { Entity } from '#contract/index.ts'

import { entityText } from '../../messages/index.ts'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BackToEntities } from './BackToEntities.tsx'
import { DeleteEntity } from './DeleteEntity.tsx'
import { entityDraftOf } from './entity-draft.ts'
import { EntityForm } from './EntityForm.tsx'
import { entitiesQuery } from '../../domain/queries/entities.ts'

export function EntityPage() {
  const { userId = '', entityId = '' } = useParams()
  return <OneEntity key={entityId} userId={userId} entityId={entityId} />
}

export function OneEntity({ userId, entityId }: { readonly userId: string; readonly entityId: string }) {
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const client = useQueryClient()
  const [revision, setRevision] = useState(0)
  const entity = all.find(({ id }) => id === entityId)
  // Deleted, by somebody or just now: the way from here leads to the list.
  if (!entity) return <Text c="dimmed">{entityText.gone.title}</Text>
  const next = () => setRevision(revision + 1)
  return (
    <>
      <BackToEntities userId={userId} />
      <EntityForm
        key={revision}
        place={{ userId, entityId }}
        start={entityDraftOf(entity)}
        afterSave={revision > 0}
        suggestions={typeSuggestions(all)}
        aside={
          <Group justify="flex-end" gap="4px 16px" flex="1 1 auto" fz="sm">
            <Text span inherit c="dimmed">
              {entityText.form.created} <Timestamp value={entity.created} />
            </Text>
            <ShortId id={entity.id} />
            <DeleteEntity userId={userId} entity={entity} />
          </Group>
        }
        onSaved={(_entity, changes, theirs) => {
          showToast({ message: entityText.saved(changes, theirs) })
          next()
        }}
        onReadAgain={async () => {
          await client.query({ ...entitiesQuery(userId), staleTime: 0 })
          next()
        }}
      />
    </>
  )
}

/** Types of entity to offer: the usual ones, and those that the user has. */
export function typeSuggestions(all: readonly Entity[]): readonly string[] {
  return [...new Set(['person', 'car', 'address', ...all.map(({ type }) => type)])]
}
