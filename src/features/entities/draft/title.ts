import type { Entity } from '#contract/index.ts'
import { typeLabel, typeWithin } from '../../../domain/labels.ts'
import { joinFacts } from '../../../domain/values/key-facts.ts'
import { entityText } from '../../../messages/index.ts'

interface Title {
  /** Values that distinguish the entity from others of its type; empty for a `person`, whose user is named above. */
  readonly facts: string
  readonly type: string
}

export function titleOf(entity: Entity): Title {
  const facts = joinFacts(entity)
  return { facts, type: facts === '' ? typeLabel(entity.type) : typeWithin(entity.type) }
}

export function nameOf({ facts, type }: Title): string {
  return facts === '' ? type : entityText.named({ facts, type })
}
