import type { Problem } from '../draft/filter-draft.ts'
import classes from './builder.module.css'

/** What is wrong at a place that has no control of its own to say it. */
export function Problems({ problems, id }: { readonly problems: readonly Problem[]; readonly id?: string }) {
  if (problems.length === 0) return null
  return (
    <p id={id} className={classes.problem} data-problem tabIndex={-1}>
      {[...new Set(problems.map(({ detail }) => detail))].join(' ')}
    </p>
  )
}
