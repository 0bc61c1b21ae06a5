import { useId } from 'react'

import type { Place } from './draft/filter-codec.ts'
import type { FilterIssue } from './draft/filter-draft.ts'
import classes from './builder.module.css'

/** Renders the messages of issues, each only once. */
export function Issues({ issues, id }: { readonly issues: readonly FilterIssue[]; readonly id?: string }) {
  if (issues.length === 0) return null
  return (
    <p id={id} className={classes.issue} data-issue tabIndex={-1}>
      {[...new Set(issues.map(({ detail }) => detail))].join(' ')}
    </p>
  )
}

function markIssues(issues: readonly FilterIssue[], id: string) {
  return {
    control: issues.length > 0 ? { invalid: true, describedBy: id } : {},
    message: <Issues issues={issues} id={id} />,
  }
}

/** Returns the props that mark a control as invalid, and the message to show beside it. */
export function useMarked(issues: readonly FilterIssue[]) {
  return markIssues(issues, useId())
}

/** Returns a function that does what `useMarked` does, with the issues of the given controls of a node. */
export function useIssues(issues: readonly FilterIssue[]) {
  const id = useId()
  return (...controls: Place['control'][]) =>
    markIssues(
      issues.filter(({ place }) => controls.includes(place.control)),
      `${id}-${controls[0]}`,
    )
}
