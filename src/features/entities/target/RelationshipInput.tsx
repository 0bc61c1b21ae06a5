import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'

import type { Entity } from '#contract/index.ts'
import { isUserId, UserSuggest } from '../../../domain/people/UserSuggest.tsx'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { Suggest } from '../../../domain/values/Suggest.tsx'
import type { RelationshipProps } from '../../../domain/values/TypedInputs.tsx'
import { targetText } from '../../../messages/index.ts'
import { shortId } from '../../../ui/ShortId.tsx'
import { targetTitle } from './TargetLink.tsx'
import classes from '../../../domain/people/UserSuggest.module.css'

/** Input for a relationship: a user, and perhaps one of their entities. The search text is stored nowhere else. */
export function RelationshipInput({ user, entity, onChoose }: RelationshipProps) {
  const { userId = '' } = useParams()
  const [asksEntity, setAsksEntity] = useState(false)
  const entities = useEntities(user.value.trim(), entity.value.trim(), asksEntity)
  return (
    <>
      <UserSuggest
        {...user}
        // Suggests the owner of this entity, a frequent target.
        likely={{ id: userId, name: targetText.thisUser, details: shortId(userId) }}
        onChoose={({ id }) => onChoose({ user: id })}
      />
      <Suggest
        {...entity}
        mono={isUserId(entity.value.trim())}
        placeholder={targetText.entityPlaceholder}
        listLabel={targetText.entities}
        options={entities.options}
        enterTakes={isUserId(entity.value.trim()) ? undefined : 'first'}
        note={entities.note}
        idOf={({ id }) => id}
        renderOption={(option) => (
          <span className={classes.option}>
            <span>{targetTitle(option)}</span>
            <span className={`${classes.details} ds-mono`}>{shortId(option.id)}</span>
          </span>
        )}
        onChoose={({ id }) => onChoose({ user: user.value.trim(), entity: id })}
        onOpenChange={setAsksEntity}
      />
    </>
  )
}

/** Returns the entities of the user as options, filtered by the typed text unless it is an id. */
function useEntities(user: string, typed: string, isOpen: boolean) {
  const isChosen = isUserId(user)
  const { data, isError } = useQuery({ ...entitiesQuery(user), enabled: isOpen && isChosen })
  const none: readonly Entity[] = []
  if (!isOpen) return { options: none, note: undefined }
  if (!isChosen) return { options: none, note: targetText.userFirst }
  if (!data) return { options: none, note: isError ? targetText.entitiesFailed : targetText.loadingEntities }
  const words = isUserId(typed) ? '' : typed.toLowerCase()
  const options = data.filter((entity) => `${targetTitle(entity)} ${entity.id}`.toLowerCase().includes(words))
  const note =
    data.length === 0 ? targetText.noEntities : options.length === 0 ? targetText.noSuchEntity : undefined
  return { options, note }
}
