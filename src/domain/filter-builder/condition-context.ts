import { createContext, type RefObject, use, useLayoutEffect, useRef } from 'react'

import type { FilterIssue } from './draft/filter-draft.ts'
import type { Node } from './draft/nodes.ts'
import type { NamedSegment, SubjectType } from './draft/subjects.ts'

export interface ConditionScope {
  /** Replaces a node; a change to `undefined` removes it. `focus` selects the element to focus afterwards. */
  readonly change: (id: string, change: (node: Node) => Node | undefined, focus?: string) => void
  /** Returns the issues of a node, once the person has left it or tried to save. */
  readonly issues: (id: string) => readonly FilterIssue[]
  readonly touch: (id: string) => void
  readonly segments: readonly NamedSegment[]
  /** Entity types with their properties. */
  readonly types: readonly SubjectType[]
  /** Whether conditions are lines among others, rather than a form of their own. */
  readonly isInline: boolean
  /** Goes on after a value that completes the condition: applies it, or moves the focus to what is next. */
  readonly take: () => void
  /** Moves the focus to the value of the comparison that a control belongs to. */
  readonly toValue: (from: Element) => void
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

/** Returns a selector for a condition, or for the button that adds a group's first part. */
export function firstControl(node: Node): string {
  return node.kind === 'group' ? `[data-add="${node.id}"] button` : `[data-node="${node.id}"]`
}

const operand = '[data-operand] :is(input:not([aria-hidden]), textarea, select)'
const others = ':is(select, input:checked, input:not([type="radio"]), button:not([data-handle]))'

/** Returns the control of a condition that is filled in first: its value, if it has one. */
export function controlIn(element: HTMLElement | null | undefined): HTMLElement | null | undefined {
  if (!element?.matches('[data-node], form')) return element
  return element.querySelector<HTMLElement>(operand) ?? element.querySelector<HTMLElement>(others)
}

/**
 * Returns a function that focuses the element of a selector after the next render. The pressed button may have been
 * removed, and its replacement exists only then.
 */
export function useFocusNext(element: RefObject<HTMLElement | null>) {
  const next = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (next.current !== undefined)
      controlIn(element.current?.querySelector<HTMLElement>(next.current))?.focus()
    next.current = undefined
  })
  return (selector: string | undefined) => {
    next.current = selector
  }
}
