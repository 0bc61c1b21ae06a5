import type { ReactNode } from 'react'

import type { Match } from './sentence.ts'
import classes from './Rail.module.css'

export interface RailProps {
  readonly match: Match
  readonly head: ReactNode
  readonly parts: readonly ReactNode[]
}

/** Renders a filter group read-only: its parts are indented along a line whose colour shows how they match. */
export function Rail({ match, head, parts }: RailProps) {
  return (
    <div className={classes.group} data-match={match}>
      {head}
      {parts.length > 0 && (
        <ul className={classes.rail}>
          {parts.map((part, index) => (
            <li key={index}>{part}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
