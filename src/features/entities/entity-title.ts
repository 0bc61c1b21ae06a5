import type { Entity } from '#contract/index.ts'

import { keyFacts } from '../../domain/values/key-facts.ts'
import { keyLabel } from '../../domain/values/key-label.ts'

interface Title {
  /** What tells it from others of its type; of a person, who stands above, nothing. */
  readonly facts: string
  readonly type: string
}

export function titleOf(entity: Entity): Title {
  const facts = entity.type === 'person' ? '' : keyFacts(entity).join(' ')
  return { facts, type: facts === '' ? keyLabel(entity.type) : entity.type }
}
