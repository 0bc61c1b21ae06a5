import { useSuspenseQuery } from '@tanstack/react-query'

import type { Entity } from '#contract/index.ts'
import { typeLabel, typeWithin } from '../../../domain/labels.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { joinFacts } from '../../../domain/values/key-facts.ts'
import { entityText } from '../../../messages/index.ts'
import classes from './EntityTitle.module.css'

interface Title {
  /** Values that tell the entity from others of its type; empty for the only `person`, whose user is named above. */
  readonly facts: string
  readonly type: string
}

/** Returns a function that gives an entity of the user its title. */
export function useTitleOf(userId: string): (entity: Entity) => Title {
  const { data: persons } = useSuspenseQuery({
    ...entitiesQuery(userId),
    select: (all) => all.filter(({ type }) => type === 'person').length,
  })
  return (entity) => {
    const facts = joinFacts(entity, entity.type === 'person' && persons < 2)
    return { facts, type: facts === '' ? typeLabel(entity.type) : typeWithin(entity.type) }
  }
}

export function nameOf({ facts, type }: Title): string {
  return facts === '' ? type : entityText.named({ facts, type })
}

/** Heading of an entity, as it is read and as it is edited. */
export function EntityTitle({ title: { facts, type }, id }: { readonly title: Title; readonly id?: string }) {
  return (
    <h2 id={id} className={classes.title} dir="auto">
      {facts === ''
        ? type
        : entityText.named.withElements({ facts, type: <span className={classes.kind}>{type}</span> })}
    </h2>
  )
}
