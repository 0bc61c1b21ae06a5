import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { links } from '../../domain/links.ts'
import { entityText } from '../../messages/index.ts'
import { showToast } from '../../ui/toast.tsx'
import { BackToEntities } from './BackToEntities.tsx'
import { newEntityDraft } from './entity-draft.ts'
import { EntityForm } from './EntityForm.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { Templates } from './Templates.tsx'
import { typeSuggestions } from './type-suggestions.ts'

export function NewEntityPage() {
  const { userId = '' } = useParams()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const [start] = useState(newEntityDraft)
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = { replace: true, state: nothingToLose }
  return (
    <>
      <BackToEntities userId={userId} />
      <EntityForm
        place={{ userId }}
        start={start}
        suggestions={typeSuggestions(all)}
        Templates={Templates}
        onSaved={(entity) => {
          showToast({ message: entityText.created(entity.type) })
          void navigate(links.entity(userId, entity.id), leave)
        }}
        onReadAgain={async (id) => {
          await client.query({ ...entitiesQuery(userId), staleTime: 0 })
          await navigate(id === undefined ? links.user(userId) : links.entity(userId, id), leave)
        }}
        onCancel={() => void navigate(links.user(userId))}
      />
    </>
  )
}
