import { type ReactNode, useId } from 'react'

import type { ControlPosition } from './draft/filter-codec.ts'
import type { FilterIssue } from './draft/filter-draft.ts'
import classes from './NodeFieldset.module.css'

export interface NodeFieldsetProps {
  readonly label: string
  /** Id of the node that the fieldset shows, used to restore the focus to it. */
  readonly nodeId: string
  readonly className?: string | undefined
  /** Called when the focus leaves the fieldset. */
  readonly onLeave?: (() => void) | undefined
  readonly children: ReactNode
}

export function NodeFieldset({ label, nodeId, className = '', onLeave, children }: NodeFieldsetProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens only to the focus leaving its controls
    <fieldset
      aria-label={label}
      data-node={nodeId}
      className={`${classes.node} ${className}`}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave?.()
      }}
    >
      {children}
    </fieldset>
  )
}

/** Renders the messages of issues, each only once. */
export function Issues({ issues, id }: { readonly issues: readonly FilterIssue[]; readonly id?: string }) {
  if (issues.length === 0) return null
  return (
    <p id={id} className={classes.issue} data-issue tabIndex={-1}>
      {[...new Set(issues.map(({ detail }) => detail))].join(' ')}
    </p>
  )
}

/** Returns the props that mark a control as invalid, and the message to show beside it. */
export function useMarked(issues: readonly FilterIssue[]) {
  return markIssues(issues, useId())
}

/** Returns a function that does what `useMarked` does, with the issues of the given controls of a node. */
export function useIssues(issues: readonly FilterIssue[]) {
  const id = useId()
  return (...controls: ControlPosition['control'][]) =>
    markIssues(
      issues.filter(({ position }) => controls.includes(position.control)),
      `${id}-${controls[0]}`,
    )
}

function markIssues(issues: readonly FilterIssue[], id: string) {
  return {
    control: issues.length > 0 ? { invalid: true, describedBy: id } : {},
    message: <Issues issues={issues} id={id} />,
  }
}
