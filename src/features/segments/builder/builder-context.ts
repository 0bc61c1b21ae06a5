import { createContext, use } from 'react'

import type { Segment } from '#contract/index.ts'
import type { Node } from '../draft/nodes.ts'
import type { Issue } from '../draft/filter-draft.ts'
import type { Destination } from '../draft/moves.ts'

/** What every part of the builder needs. */
export interface Builder {
  /** Puts another node in the place of one; `undefined` takes it out. `focus`: a selector to go to afterwards. */
  readonly change: (id: string, change: (node: Node) => Node | undefined, focus?: string) => void
  /** Carries a node elsewhere, says so, and keeps the focus on it. */
  readonly move: (id: string, destination: Destination) => void
  /** Tells those who cannot see it what has happened. */
  readonly say: (text: string) => void
  readonly root: Node
  /** What is wrong with a node, once somebody has been there or wanted to save. */
  readonly issues: (id: string) => readonly Issue[]
  /** Somebody has been at a node and left it. */
  readonly touch: (id: string) => void
  readonly segments: readonly Segment[]
  /** The zone in which days begin. */
  readonly tz: string
}

export const BuilderContext = createContext<Builder | undefined>(undefined)

export function useBuilder(): Builder {
  const builder = use(BuilderContext)
  if (!builder) throw new Error('There is no builder here.')
  return builder
}

/** The first control of a node, or of where its first part is added; not a count, which is one unless somebody says otherwise. */
export function firstControl(node: Node): string {
  return node.kind === 'group'
    ? `[data-add="${node.id}"] button`
    : `[data-node="${node.id}"] :is(select, input:not([inputmode='numeric']), button:not([data-handle]))`
}
