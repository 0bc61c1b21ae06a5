import { createContext, use } from 'react'

import type { ConditionPlace } from '../../../domain/filter-builder/condition-context.ts'
import type { Node } from '../../../domain/filter-builder/draft/nodes.ts'
import type { Destination } from './moves.ts'

/** Context shared by all parts of the builder. */
export interface Builder extends ConditionPlace {
  /** Carries a node elsewhere, says so, and keeps the focus on it. */
  readonly move: (id: string, destination: Destination) => void
  /** Tells those who cannot see it what has happened. */
  readonly say: (text: string) => void
  readonly root: Node
}

export const BuilderContext = createContext<Builder | undefined>(undefined)

export function useBuilder(): Builder {
  const builder = use(BuilderContext)
  if (!builder) throw new Error('There is no builder here.')
  return builder
}
