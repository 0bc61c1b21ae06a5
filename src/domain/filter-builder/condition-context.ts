import { createContext, type RefObject, use, useLayoutEffect, useRef } from 'react'

import type { Segment } from '#contract/index.ts'
import type { FilterIssue } from './draft/filter-draft.ts'
import type { Node } from './draft/nodes.ts'

export interface ConditionScope {
  /** Replaces a node; a change to `undefined` removes it. `focus` selects the element to focus afterwards. */
  readonly change: (id: string, change: (node: Node) => Node | undefined, focus?: string) => void
  /** Returns the issues of a node, once the person has left it or tried to save. */
  readonly issues: (id: string) => readonly FilterIssue[]
  readonly touch: (id: string) => void
  readonly segments: readonly Segment[]
  /** Time zone in which days begin. */
  readonly tz: string
  /** Reason why tests of sensitive keys are not allowed here, regardless of the person's scopes. */
  readonly sensitiveRefusal?: string
}

export const ConditionContext = createContext<ConditionScope | undefined>(undefined)

export function useConditionScope(): ConditionScope {
  const scope = use(ConditionContext)
  if (!scope) throw new Error('A condition is edited in no filter.')
  return scope
}

/**
 * Returns a selector for the first control of a node, or for the button that adds a group's first part. Skips the
 * input of a count, which is optional.
 */
export function firstControl(node: Node): string {
  return node.kind === 'group'
    ? `[data-add="${node.id}"] button`
    : `[data-node="${node.id}"] :is(select, input:not([inputmode='numeric']), button:not([data-handle]))`
}

/**
 * Returns a function that focuses the element of a selector after the next render. The pressed button may have been
 * removed, and its replacement exists only then.
 */
export function useFocusNext(element: RefObject<HTMLElement | null>) {
  const next = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (next.current !== undefined) element.current?.querySelector<HTMLElement>(next.current)?.focus()
    next.current = undefined
  })
  return (selector: string | undefined) => {
    next.current = selector
  }
}
