import { createContext, use } from 'react'

import type { ConditionPlace } from '../../../domain/filter-builder/condition-context.ts'
import type { Node } from '../../../domain/filter-builder/draft/nodes.ts'
import type { Destination } from './moves.ts'

export interface Builder extends ConditionPlace {
  /** Moves a node, announces the move, and keeps the focus on the node. */
  readonly move: (id: string, destination: Destination) => void
  /** Announces a change to screen readers. */
  readonly say: (text: string) => void
  readonly root: Node
}

export const BuilderContext = createContext<Builder | undefined>(undefined)

export function useBuilder(): Builder {
  const builder = use(BuilderContext)
  if (!builder) throw new Error('There is no builder here.')
  return builder
}
