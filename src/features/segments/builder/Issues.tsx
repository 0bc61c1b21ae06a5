import type { Issue } from '../draft/filter-draft.ts'
import classes from './builder.module.css'

/** What is wrong at a place that has no control of its own to say it. */
export function Issues({ issues, id }: { readonly issues: readonly Issue[]; readonly id?: string }) {
  if (issues.length === 0) return null
  return (
    <p id={id} className={classes.issue} data-issue tabIndex={-1}>
      {[...new Set(issues.map(({ detail }) => detail))].join(' ')}
    </p>
  )
}
