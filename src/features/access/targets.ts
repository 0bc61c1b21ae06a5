import type { Entity } from '#contract/index.ts'
import { typeLabel, typeWithin } from '../../domain/labels.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import type { SubjectAccess } from '../../domain/subject-access/document.ts'
import { joinFacts } from '../../domain/values/key-facts.ts'
import type { Target } from '../../domain/values/ValueText.tsx'
import { accessText, userText } from '../../messages/index.ts'

export function titleEntity(entity: Entity): string {
  const facts = joinFacts(entity)
  return facts === '' ? typeLabel(entity.type) : `${facts}, ${typeWithin(entity.type)}`
}

/** Names what relationships refer to. Others are not named to the data subject, nor told apart by ids. */
export function nameTargets({ user, entities }: Pick<SubjectAccess, 'user' | 'entities'>) {
  return (target: Target): string => {
    if (target.user !== user.id) return accessText.letter.anotherUser
    const entity = entities.find(({ id }) => id === target.entity)
    return entity ? titleEntity(entity) : (nameOf(user) ?? userText.noName)
  }
}
