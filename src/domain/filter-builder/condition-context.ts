import { createContext, use } from 'react'

import type { Segment } from '#contract/index.ts'
import type { Node } from './draft/nodes.ts'
import type { FilterIssue } from './draft/filter-draft.ts'

/** Context that the editors of a condition need. */
export interface ConditionPlace {
  /** Puts another node in the place of one; `undefined` takes it out. `focus`: a selector to go to afterwards. */
  readonly change: (id: string, change: (node: Node) => Node | undefined, focus?: string) => void
  /** Returns the issues of a node, once somebody has left it or tried to save. */
  readonly issues: (id: string) => readonly FilterIssue[]
  /** Somebody has been at a node and left it. */
  readonly touch: (id: string) => void
  readonly segments: readonly Segment[]
  /** The zone in which days begin. */
  readonly tz: string
  /** Why a test of a sensitive key is refused here, whoever makes it. */
  readonly sensitiveRefusal?: string
}

export const ConditionContext = createContext<ConditionPlace | undefined>(undefined)

export function useConditionPlace(): ConditionPlace {
  const place = use(ConditionContext)
  if (!place) throw new Error('A condition is edited in no filter.')
  return place
}

/** The first control of a node, or of where its first part is added; not a count, which is one unless somebody says otherwise. */
export function firstControl(node: Node): string {
  return node.kind === 'group'
    ? `[data-add="${node.id}"] button`
    : `[data-node="${node.id}"] :is(select, input:not([inputmode='numeric']), button:not([data-handle]))`
}
